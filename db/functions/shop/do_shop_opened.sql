CREATE OR REPLACE FUNCTION do_shop_opened(p_order bigint, p_ref text, p_url text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'pending', provider_ref = p_ref, pay_url = p_url
    WHERE id = p_order AND state = 'created';
    RETURN QUERY SELECT 'ok', shop_order_json(o)::text FROM shop_orders o WHERE o.id = p_order;
END $$;

COMMENT ON FUNCTION do_shop_opened IS
'Records that the provider has accepted the order, so that the buyer can pay. Concurrent calls got the same
reply from the provider, so the second one changes nothing.
Called by api.';
