CREATE OR REPLACE FUNCTION admin_webhook_json(e webhook_endpoints) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', e.id::text, 'url', e.url, 'events', to_jsonb(e.events), 'active', e.active,
        'created_at', rfc3339(e.created_at), 'failing_since', rfc3339(e.failing_since),
        'off_at', rfc3339(e.off_at),
        'old_secret_until', (SELECT rfc3339(max(s.until)) FROM webhook_secrets s
                             WHERE s.endpoint_id = e.id AND s.until > now()))
$$;

COMMENT ON FUNCTION admin_webhook_json IS
'An endpoint as an operator sees it, without its secrets.
Called by do_admin_webhook_change, do_admin_webhooks, webhook_secret_put.';
