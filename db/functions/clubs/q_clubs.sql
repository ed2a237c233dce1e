CREATE OR REPLACE FUNCTION q_clubs(p_reader bigint, p_before bigint, p_limit bigint, p_name jsonb)
    RETURNS TABLE (id bigint, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_from text := p_name->>'folded';
BEGIN
    IF p_name IS NULL THEN
        RETURN QUERY SELECT c.id, club_json(c, p_reader)::text
        FROM clubs c WHERE c.id < p_before ORDER BY c.id DESC LIMIT p_limit;
    ELSE
        RETURN QUERY SELECT c.id, club_json(c, p_reader)::text
        FROM clubs c
        WHERE c.name_folded >= v_from AND c.name_folded < v_from || chr(1114111) AND c.id < p_before
        ORDER BY c.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION q_clubs IS
'A page of clubs, newest first. p_name: only those whose name begins with it (api/names/names.c); NULL: all.
Called by api.';
