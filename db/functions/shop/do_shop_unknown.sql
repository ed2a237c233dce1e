CREATE OR REPLACE FUNCTION do_shop_unknown(p_order bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'unknown'
    WHERE id = p_order AND state = 'pending' AND expires_at < now();
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'wait' END;
END $$;

COMMENT ON FUNCTION do_shop_unknown IS
'The provider does not know a pending order. Once it can no longer be paid, that ends it.
Refusals: wait (it may still be paid).
Called by api.';
