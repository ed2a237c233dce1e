CREATE OR REPLACE FUNCTION do_admin_webhook(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_url text,
                                            p_events text[], p_sealed bytea, p_kid text)
    RETURNS TABLE (code text, body text, sealed text, kid text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'make_webhook', jsonb_build_object(
        'url', p_url, 'events', to_jsonb(p_events)), p_idem_key, p_body_hash);
    e      webhook_endpoints;
BEGIN
    IF v_call.answer IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd webhooks', 0));
        IF (SELECT count(*) FROM webhook_endpoints) >= setting_int('webhooks_max') THEN
            v_call.answer := admin_end(v_call, 'too_many_webhooks', NULL);
        ELSE
            INSERT INTO webhook_endpoints (url, events) VALUES (p_url, p_events) RETURNING * INTO e;
            v_call.answer := admin_end(v_call, 'ok', webhook_secret_put(e, p_sealed, p_kid));
        END IF;
    END IF;
    RETURN QUERY SELECT * FROM webhook_secret_shown(v_call.answer);
END $$;

COMMENT ON FUNCTION do_admin_webhook IS
'Creates an endpoint. p_events: distinct names of api/webhook_events.def. A repeat returns the same secret.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, too_many_webhooks.
Called by api.';
