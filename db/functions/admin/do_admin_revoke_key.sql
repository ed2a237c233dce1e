CREATE OR REPLACE FUNCTION do_admin_revoke_key(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                               p_id bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'revoke_key', jsonb_build_object('id', p_id),
                                     p_idem_key, p_body_hash);
    v_key  api_keys;
BEGIN
    IF v_call.answer IS NULL THEN
        PERFORM key_revoke(p_id, v_call.key_id);
        SELECT * INTO v_key FROM api_keys WHERE id = p_id;
        v_call.answer := admin_end(v_call, CASE WHEN v_key.id IS NULL THEN 'no_such_key' ELSE 'ok' END,
                                   CASE WHEN v_key.id IS NOT NULL THEN api_key_json(v_key) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_revoke_key IS
'Revokes an API key permanently and at once, with its pending proposals (key_revoke).
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_key.
Called by api.';
