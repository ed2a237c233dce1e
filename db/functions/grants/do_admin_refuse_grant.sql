CREATE OR REPLACE FUNCTION do_admin_refuse_grant(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                 p_grant bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'refuse_grant', jsonb_build_object('grant', p_grant),
                                     p_idem_key, p_body_hash);
    v_code text;
    g      chip_grants;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT x.* INTO g FROM chip_grants x WHERE x.id = p_grant FOR UPDATE;
        v_code := CASE WHEN g.id IS NULL THEN 'no_such_grant'
                       WHEN grant_state(g) <> 'waiting' THEN 'grant_settled' ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE chip_grants SET state = 'refused', settled_at = now(), settled_by = v_call.key_id
            WHERE id = p_grant;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN
            (SELECT grant_json(x) FROM chip_grants x WHERE x.id = p_grant) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_refuse_grant IS
'Refuses a pending grant; its proposer can withdraw it in the same way.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_grant, grant_settled (also: lapsed).
Called by api.';
