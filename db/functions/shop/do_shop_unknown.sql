CREATE OR REPLACE FUNCTION do_shop_unknown(p_order bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'unknown'
    WHERE id = p_order AND state = 'pending' AND expires_at < now();
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'wait' END;
END $$;

COMMENT ON FUNCTION do_shop_unknown IS
'The provider knows nothing of a pending order. Once nobody can pay it any more that ends it.
Refusals: wait (it may still be paid).
Called by api.';
