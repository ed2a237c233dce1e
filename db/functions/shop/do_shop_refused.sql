CREATE OR REPLACE FUNCTION do_shop_refused(p_order bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shop_orders SET state = 'failed', why = 'refused' WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'payment_refused';
END $$;

COMMENT ON FUNCTION do_shop_refused IS
'Records that the provider refused the order, which then fails. The result is always payment_refused.
Called by api.';
