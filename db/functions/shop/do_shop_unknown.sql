CREATE OR REPLACE FUNCTION do_shop_unknown(p_order bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'unknown'
    WHERE id = p_order AND state = 'pending' AND expires_at < now();
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'wait' END;
END $$;

COMMENT ON FUNCTION do_shop_unknown IS
'Records that the provider does not know a pending order, which ends the order once it can no longer be paid.
Refusals: wait (it may still be paid).
Called by api.';
