CREATE OR REPLACE FUNCTION shop_order_json(o shop_orders) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', o.id::text, 'state', o.state, 'pack', o.pack_id, 'gold', o.gold, 'amount', o.price_minor,
        'currency', o.currency,
        'provider', o.provider, 'pay_url', CASE WHEN o.state = 'pending' THEN o.pay_url END,
        'created_at', rfc3339(o.created_at), 'expires_at', rfc3339(o.expires_at),
        'paid_at', rfc3339(o.paid_at),
        'refunded', o.refunded_minor, 'gold_back', o.gold_back, 'gold_short', o.gold_short,
        'why', nullif(o.why, ''))
$$;

COMMENT ON FUNCTION shop_order_json IS
'An order as its buyer sees it.
Called by admin_order_json, do_admin_orders, do_shop_delivered, do_shop_opened, do_shop_order,
do_shop_receipt, export_rows_money, q_shop_order, q_shop_orders.';
