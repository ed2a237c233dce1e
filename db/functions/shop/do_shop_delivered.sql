CREATE OR REPLACE FUNCTION do_shop_delivered(p_order bigint, p_told boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET delivered_at = coalesce(delivered_at, now()) WHERE id = p_order AND p_told;
    RETURN QUERY SELECT 'ok', shop_order_json(o)::text FROM shop_orders o WHERE o.id = p_order;
END $$;

COMMENT ON FUNCTION do_shop_delivered IS
'Records that the store was notified of the delivery. p_told: false if the store could not be notified yet.
Called by api.';
