CREATE OR REPLACE FUNCTION do_admin_deliveries(p_key_hash bytea, p_webhook bigint, p_before bigint,
                                               p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:deliveries', jsonb_build_object('webhook', p_webhook),
                                     NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(
        v_call, CASE WHEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = p_webhook) THEN 'ok'
                     ELSE 'no_such_webhook' END, NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', admin_delivery_json(d)::text, d.id, 0::bigint, 0::bigint FROM deliveries d
        WHERE d.endpoint_id = p_webhook AND (p_before IS NULL OR d.id < p_before)
        ORDER BY d.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_deliveries IS
'A page of sent and pending deliveries to an endpoint, newest first; the first row is the head.
Refusals: those of admin_begin, no_such_webhook.
Called by api.';
