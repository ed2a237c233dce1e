CREATE OR REPLACE FUNCTION do_admin_webhook_remove(p_key_hash bytea, p_webhook bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'remove_webhook', jsonb_build_object('webhook', p_webhook),
                                     NULL, NULL);
BEGIN
    IF v_call.answer IS NULL THEN
        DELETE FROM webhook_endpoints WHERE id = p_webhook;
        v_call.answer := admin_end(v_call, CASE WHEN FOUND THEN 'ok' ELSE 'no_such_webhook' END, NULL);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_webhook_remove IS
'Removes an endpoint with its secrets and its deliveries.
Refusals: those of admin_begin, no_such_webhook.
Called by api.';
