CREATE OR REPLACE FUNCTION shop_apply(p_order bigint, e shop_events) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    o       shop_orders;
    v_other boolean;
BEGIN
    SELECT * INTO STRICT o FROM shop_orders WHERE id = p_order;
    v_other := o.paid_at IS NOT NULL AND e.payment_ref <> coalesce(o.payment_ref, '');
    IF e.kind = 'paid' AND (coalesce(e.price_minor, e.amount_minor), e.currency)
                           IS DISTINCT FROM (o.price_minor, o.currency) THEN
        INSERT INTO shop_flags (order_id, reason, event, amount_minor, currency)
        VALUES (o.id, 'amount_differs', e.event_id, e.amount_minor, e.currency);
    ELSIF e.kind = 'paid' AND o.paid_at IS NULL THEN
        PERFORM lock_players(ARRAY[o.player_id]);
        UPDATE shop_orders SET state = 'paid', paid_at = now(), why = '', payment_ref = e.payment_ref,
                               paid_minor = e.amount_minor
        WHERE id = o.id RETURNING * INTO o;
        PERFORM shop_post(o, 'paid', o.gold, 'shop:' || o.id || ':paid');
        PERFORM shop_pay_debts(o);
    ELSIF e.kind = 'paid' AND v_other THEN
        INSERT INTO shop_flags (order_id, reason, event, amount_minor, currency)
        SELECT o.id, 'paid_again', e.payment_ref, e.amount_minor, e.currency
        WHERE NOT EXISTS (SELECT 1 FROM shop_flags f
                          WHERE f.order_id = o.id AND f.reason = 'paid_again' AND f.event = e.payment_ref);
    ELSIF e.kind IN ('failed', 'expired') AND o.state IN ('created', 'pending') THEN
        UPDATE shop_orders SET state = e.kind, why = e.kind WHERE id = o.id;
    ELSIF e.kind = 'refund_failed' THEN
        UPDATE shop_refunds SET state = 'failed', why = 'came_back'
        WHERE order_id = o.id AND refund_ref = e.subject AND state = 'done';
        INSERT INTO shop_flags (order_id, reason, event, amount_minor, currency)
        VALUES (o.id, 'refund_failed', coalesce(e.subject, e.event_id), e.amount_minor, e.currency);
    ELSIF e.kind = 'refunded' AND v_other THEN
        UPDATE shop_flags f SET settled_at = now()
        WHERE f.order_id = o.id AND f.reason = 'paid_again' AND f.event = e.payment_ref
          AND f.settled_at IS NULL AND f.currency = e.currency AND f.amount_minor <= e.amount_minor;
    END IF;
    IF e.kind = 'refunded' AND e.amount_minor IS NOT NULL AND e.currency IS DISTINCT FROM o.currency THEN
        INSERT INTO shop_flags (order_id, reason, event, amount_minor, currency)
        VALUES (o.id, 'amount_differs', e.event_id, e.amount_minor, e.currency);
    END IF;
    IF o.paid_at IS NOT NULL AND e.kind IN ('paid', 'refunded', 'refund_failed') THEN
        UPDATE shop_orders SET refunded_minor = shop_refunded(o.id)
        WHERE id = o.id AND refunded_minor <> shop_refunded(o.id);
    END IF;
    PERFORM shop_settle(o.id, e.event_id);
END $$;

COMMENT ON FUNCTION shop_apply IS
'Applies one event of an order whose row is locked: records it, pays out gold that was paid for, and settles.
An amount other than the one requested is flagged and buys nothing. The same applies to a second payment of
a paid order; a refund of it settles the flag. A refund in another currency is flagged and takes no gold.
Bought gold first pays the buyer''s debt.
Key of the transfer: `shop:<order>:paid`.
Called by do_shop_event, do_shop_refund_result.';
