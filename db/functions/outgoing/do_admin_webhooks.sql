CREATE OR REPLACE FUNCTION do_admin_webhooks(p_key_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:webhooks', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code',
    CASE WHEN v_call.answer->>'code' = 'ok' THEN jsonb_build_object('items', coalesce(
        (SELECT jsonb_agg(admin_webhook_json(e) ORDER BY e.id) FROM webhook_endpoints e), '[]'))::text END;
END $$;

COMMENT ON FUNCTION do_admin_webhooks IS
'All endpoints.
Refusals: those of admin_begin.
Called by api.';
