CREATE OR REPLACE FUNCTION do_admin_approve_grant(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                  p_grant bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'approve_grant', jsonb_build_object('grant', p_grant),
                                     p_idem_key, p_body_hash);
    v_code text;
    g      chip_grants;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT x.* INTO g FROM chip_grants x WHERE x.id = p_grant FOR UPDATE;
        v_code := CASE WHEN g.id IS NULL THEN 'no_such_grant'
                       WHEN grant_state(g) <> 'waiting' THEN 'grant_settled'
                       WHEN (SELECT count(DISTINCT lower(holder COLLATE "C")) FROM api_keys
                             WHERE id IN (g.key_id, v_call.key_id)) < 2 THEN 'second_operator_needed'
                       WHEN EXISTS (SELECT 1 FROM players WHERE id = g.player_id AND deleted_at IS NOT NULL)
                           THEN 'player_unknown'
                       ELSE pay_grant(p_grant, v_call.key_id) END;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN
            (SELECT grant_json(x) FROM chip_grants x WHERE x.id = p_grant) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_approve_grant IS
'A second operator approves a pending grant, which moves the chips.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_grant, grant_settled (also: lapsed), second_operator_needed (the
holder of this key proposed it), player_unknown (deleted since), purse_too_small (it remains pending).
Locks: the grant, then those of pay_grant.
Called by api.';
