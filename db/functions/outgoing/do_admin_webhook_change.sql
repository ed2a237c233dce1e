CREATE OR REPLACE FUNCTION do_admin_webhook_change(p_key_hash bytea, p_webhook bigint, p_url text,
                                                   p_active boolean, p_events text[])
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'change_webhook', jsonb_strip_nulls(jsonb_build_object(
        'webhook', p_webhook, 'url', p_url, 'active', p_active, 'events', to_jsonb(p_events))), NULL, NULL);
    e      webhook_endpoints;
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE webhook_endpoints
        SET url = coalesce(p_url, url), events = coalesce(p_events, events),
            active = coalesce(p_active, active),
            failing_since = CASE WHEN p_active AND NOT active THEN NULL ELSE failing_since END,
            off_at = CASE WHEN p_active IS NULL THEN off_at END
        WHERE id = p_webhook;
        IF p_active = false THEN
            PERFORM webhook_off(p_webhook, false);
        END IF;
        SELECT * INTO e FROM webhook_endpoints WHERE id = p_webhook;
        v_call.answer := CASE WHEN e.id IS NULL THEN admin_end(v_call, 'no_such_webhook', NULL)
                              ELSE admin_end(v_call, 'ok', admin_webhook_json(e)) END;
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_webhook_change IS
'Changes the given fields of an endpoint; NULL leaves one unchanged. Waiting deliveries go to the new address;
if the endpoint is switched off, they are given up.
Refusals: those of admin_begin, no_such_webhook.
Locks: the endpoint, then its deliveries.
Called by api.';
