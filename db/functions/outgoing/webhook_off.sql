CREATE OR REPLACE FUNCTION webhook_off(p_endpoint bigint, p_by_itself boolean) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE webhook_endpoints SET active = false, off_at = CASE WHEN p_by_itself THEN now() END
    WHERE id = p_endpoint;
    UPDATE deliveries SET failed_at = now(), taken = false, said = 'the endpoint was switched off'
    WHERE endpoint_id = p_endpoint AND sent_at IS NULL AND failed_at IS NULL;
END $$;

COMMENT ON FUNCTION webhook_off IS
'Switches an endpoint off, automatically or by an operator, and gives up its waiting deliveries.
Called by do_admin_webhook_change, do_delivery_result.';
