CREATE OR REPLACE FUNCTION do_admin_webhook_secret(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                   p_webhook bigint, p_sealed bytea, p_kid text)
    RETURNS TABLE (code text, body text, sealed text, kid text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'new_webhook_secret',
                                     jsonb_build_object('webhook', p_webhook), p_idem_key, p_body_hash);
    e      webhook_endpoints;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT * INTO e FROM webhook_endpoints WHERE id = p_webhook FOR NO KEY UPDATE;
        v_call.answer := CASE WHEN e.id IS NULL THEN admin_end(v_call, 'no_such_webhook', NULL)
                              ELSE admin_end(v_call, 'ok', webhook_secret_put(e, p_sealed, p_kid)) END;
    END IF;
    RETURN QUERY SELECT * FROM webhook_secret_shown(v_call.answer);
END $$;

COMMENT ON FUNCTION do_admin_webhook_secret IS
'Gives an endpoint a new secret; the previous one also signs for webhook_overlap_s.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_webhook.
Locks: the endpoint.
Called by api.';
