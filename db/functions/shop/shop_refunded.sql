CREATE OR REPLACE FUNCTION shop_refunded(p_order bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(greatest(0, e.amount_minor - (
        SELECT coalesce(sum(f.amount_minor), 0) FROM shop_events f
        WHERE f.order_id = p_order AND f.kind = 'refund_failed' AND f.currency = o.currency
          AND (f.subject = e.subject
               OR coalesce(f.happened_at, f.at) >= coalesce(e.happened_at, e.at))))), 0)::bigint
    FROM shop_orders o JOIN shop_events e ON e.order_id = o.id
    WHERE o.id = p_order AND e.kind = 'refunded' AND e.currency = o.currency
$$;

COMMENT ON FUNCTION shop_refunded IS
'Money of an order that was given back and stayed so. Each event `refunded` has the sum so far; what failed at
that time or later, or is what the event tells of (subject: the refund), is still in that sum. An amount in
another currency than was paid in says nothing about the price: shop_apply flags it.
Called by shop_apply.';
