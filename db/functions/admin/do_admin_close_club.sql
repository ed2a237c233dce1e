CREATE OR REPLACE FUNCTION do_admin_close_club(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                               p_club bigint, p_reason text)
    RETURNS TABLE (code text, body text, cancels bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'close_club',
                                     jsonb_build_object('club', p_club, 'reason', p_reason),
                                     p_idem_key, p_body_hash);
    v_club clubs;
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        PERFORM 1 FROM tables WHERE club_id = p_club AND state = 'waiting' ORDER BY id FOR NO KEY UPDATE;
        SELECT * INTO v_club FROM clubs WHERE id = p_club FOR UPDATE;
        IF v_club.id IS NOT NULL THEN
            v_body := admin_club_json(v_club);
            cancels := club_end(v_club, 'closed');
        END IF;
        v_call.answer := admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_club' ELSE 'ok' END,
                                   v_body);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, cancels;
END $$;

COMMENT ON FUNCTION do_admin_close_club IS
'Ends a club, as club_end does, and frees its name. Returns its last state. cancels: as in do_close_club.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_club.
Locks: the club''s waiting tables, then the club.
Called by api.';
