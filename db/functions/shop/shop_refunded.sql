CREATE OR REPLACE FUNCTION shop_refunded(p_order bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    WITH o AS (SELECT * FROM shop_orders WHERE id = p_order),
         e AS (SELECT e.* FROM o JOIN shop_events e ON e.order_id = o.id
               WHERE e.kind IN ('refunded', 'refund_failed')
                 AND (e.amount_minor IS NULL OR e.currency = o.currency)
                 AND shop_event_of_payment(e, o.payment_ref)),
         failed AS (SELECT * FROM e WHERE kind = 'refund_failed'),
         sums AS (
             SELECT coalesce(e.amount_minor, o.paid_minor) - (
                 SELECT coalesce(sum(coalesce(f.amount_minor, o.paid_minor)), 0) FROM failed f
                 WHERE f.subject = e.subject
                    OR coalesce(f.happened_at, f.at) >= coalesce(e.happened_at, e.at)) AS minor
             FROM o CROSS JOIN e WHERE e.kind = 'refunded' AND NOT e.part),
         parts AS (
             SELECT max(e.amount_minor) AS minor FROM e
             WHERE e.kind = 'refunded' AND e.part AND e.subject NOT IN (
                 SELECT f.subject FROM failed f WHERE f.subject IS NOT NULL)
             GROUP BY e.subject)
    SELECT greatest(0, (SELECT max(minor) FROM sums), (SELECT sum(minor) FROM parts))::bigint
$$;

COMMENT ON FUNCTION shop_refunded IS
'Money of the payment of an order that was given back and stayed so. Most events `refunded` have the sum so
far; what failed at that time or later, or is what the event tells of (subject: the refund), is still in that
sum. Those of a part have the amount of one refund, and each refund (subject) counts once. One without an
amount is about all of it. An amount in another currency than was paid in, and a refund of another payment,
say nothing about what was paid: shop_apply flags the first.
Called by shop_apply.';
