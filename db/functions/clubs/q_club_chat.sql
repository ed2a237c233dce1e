CREATE OR REPLACE FUNCTION q_club_chat(p_reader bigint, p_club bigint, p_before bigint, p_unused bigint,
                                       p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_code text := CASE WHEN NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN 'no_such_club'
                        WHEN NOT club_admits(p_club, p_reader) THEN 'not_club_member' ELSE 'ok' END;
BEGIN
    RETURN QUERY SELECT v_code, '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', club_line_json(c)::text, c.id, 0::bigint, 0::bigint
        FROM club_chat c
        WHERE c.club_id = p_club AND c.text <> '' AND (p_before IS NULL OR c.id < p_before)
          AND NOT EXISTS (SELECT 1 FROM player_blocks b
                          WHERE b.player_id = p_reader AND b.other_id = c.player_id)
        ORDER BY c.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION q_club_chat IS
'A page of a club''s messages, latest first, without those of authors whom the reader has muted or blocked;
the first row is the head.
Refusals: no_such_club, not_club_member.
Called by api.';
