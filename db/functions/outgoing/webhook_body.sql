CREATE OR REPLACE FUNCTION webhook_body(p_event text, p_data jsonb) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT json_build_object('type', p_event, 'version', 1, 'timestamp', rfc3339(now()), 'data', p_data)::text
$$;

COMMENT ON FUNCTION webhook_body IS
'The body sent for an event: the bytes that are signed, which are the same for each try.
Called by do_admin_webhook_ping, webhook_put.';
