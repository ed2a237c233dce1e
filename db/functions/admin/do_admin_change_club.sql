CREATE OR REPLACE FUNCTION do_admin_change_club(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                p_club bigint, p_name jsonb, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_act  text       := CASE WHEN p_name IS NULL THEN 'clear_club' ELSE 'rename_club' END;
    v_call admin_call := admin_begin(p_key_hash, v_act,
                                     jsonb_build_object('club', p_club, 'reason', p_reason),
                                     p_idem_key, p_body_hash);
    v_club clubs;
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO v_club FROM clubs WHERE id = p_club FOR NO KEY UPDATE;
        IF v_club.id IS NULL THEN
            v_code := 'no_such_club';
        ELSIF p_name IS NULL THEN
            UPDATE clubs SET about = '' WHERE id = p_club RETURNING * INTO v_club;
        ELSE
            v_code := club_rename(v_club, p_name);
            SELECT * INTO v_club FROM clubs WHERE id = p_club;
        END IF;
        IF v_code IS NULL THEN
            PERFORM notify_club_members(v_club, CASE v_act WHEN 'clear_club' THEN 'cleared'
                                                           ELSE 'renamed' END);
        END IF;
        v_call.answer := admin_end(v_call, coalesce(v_code, 'ok'),
                                   CASE WHEN v_code IS NULL THEN admin_club_json(v_club) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_change_club IS
'Renames a club (p_name, as api/names/nickname.h binds one), or removes its description (NULL). Its owner is
notified.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_club, club_name_taken.
Locks: the club.
Called by api.';
