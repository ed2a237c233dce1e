CREATE OR REPLACE FUNCTION do_admin_webhook_ping(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                 p_webhook bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'ping_webhook', jsonb_build_object('webhook', p_webhook),
                                     p_idem_key, p_body_hash);
    d      deliveries;
BEGIN
    IF v_call.answer IS NULL THEN
        INSERT INTO deliveries (endpoint_id, event, body)
        SELECT id, 'ping', webhook_body('ping', jsonb_build_object('webhook', id::text))
        FROM webhook_endpoints WHERE id = p_webhook RETURNING * INTO d;
        v_call.answer := CASE WHEN d.id IS NULL THEN admin_end(v_call, 'no_such_webhook', NULL)
                              ELSE admin_end(v_call, 'ok', admin_delivery_json(d)) END;
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_webhook_ping IS
'Sends an endpoint the event ping, whether it is on or off.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_webhook.
Called by api.';
