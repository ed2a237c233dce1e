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
'How much of an order''s payment was refunded, without refunds that failed. Most `refunded` events contain
the sum so far; that sum still includes a refund that failed at that time or later, and the refund that the
event itself reports (subject). Events about a part contain the amount of one refund, and each refund
(subject) counts once. An event without an amount is about the whole payment. Amounts in another currency
than that of the payment, and refunds of another payment, are not counted; shop_apply flags the former.
Called by shop_apply.';
