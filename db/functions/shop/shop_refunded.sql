CREATE OR REPLACE FUNCTION shop_refunded(p_order bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(greatest(0, coalesce(e.amount_minor, o.price_minor) - (
        SELECT coalesce(sum(coalesce(f.amount_minor, o.price_minor)), 0) FROM shop_events f
        WHERE f.order_id = p_order AND f.kind = 'refund_failed'
          AND (f.amount_minor IS NULL OR f.currency = o.currency)
          AND (f.subject = e.subject
               OR coalesce(f.happened_at, f.at) >= coalesce(e.happened_at, e.at))))), 0)::bigint
    FROM shop_orders o JOIN shop_events e ON e.order_id = o.id
    WHERE o.id = p_order AND e.kind = 'refunded'
      AND (e.amount_minor IS NULL OR e.currency = o.currency)
$$;

COMMENT ON FUNCTION shop_refunded IS
'Money of an order that was given back and stayed so. Each event `refunded` has the sum so far; what failed
at that time or later, or is what the event tells of (subject: the refund), is still in that sum. One
without an amount is about all of it. An amount in another currency than was paid in says nothing about the
price: shop_apply flags it.
Called by shop_apply.';
