CREATE OR REPLACE FUNCTION do_admin_cancel_tournament(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                      p_tournament bigint, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'cancel_tournament', jsonb_build_object(
        'tournament', p_tournament, 'reason', p_reason), p_idem_key, p_body_hash);
    t      tournaments;
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO t FROM tournaments WHERE id = p_tournament FOR NO KEY UPDATE;
        v_code := CASE WHEN t.id IS NULL THEN 'no_such_tournament'
                       WHEN t.state NOT IN ('open', 'running') THEN 'tournament_over' ELSE 'ok' END;
        IF v_code = 'ok' THEN
            PERFORM tournament_cancel(t, 'by_operator');
            SELECT * INTO t FROM tournaments WHERE id = p_tournament;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN tournament_json(t) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_cancel_tournament IS
'Cancels a tournament that has not ended: all fees are refunded, and its tables end without a result.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_tournament, tournament_over.
Called by api.';
