CREATE OR REPLACE FUNCTION do_shop_event(p_provider text, p_event text, p_kind text, p_token uuid, p_ref text,
                                         p_payment text, p_subject text, p_amount bigint, p_currency text,
                                         p_happened_at timestamptz DEFAULT NULL,
                                         p_price bigint DEFAULT NULL, p_part boolean DEFAULT false)
    RETURNS TABLE (code text, order_id bigint, state text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_event shop_events;
    v_order bigint;
    e       shop_events;
BEGIN
    -- Serializes the call that finds out whose payment this is with one that receives an earlier event
    -- about it.
    IF p_payment IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('shop ' || p_provider || ' ' || p_payment, 0));
    END IF;
    SELECT o.id INTO v_order FROM shop_orders o
    WHERE o.provider = p_provider
      AND (o.token = p_token OR o.provider_ref = p_ref OR o.payment_ref = p_payment)
    ORDER BY o.token = p_token DESC NULLS LAST, o.provider_ref = p_ref DESC NULLS LAST LIMIT 1 FOR UPDATE;
    IF v_order IS NULL AND (p_payment IS NULL
                            OR p_kind NOT IN ('refunded', 'refund_failed', 'disputed', 'dispute_won',
                                              'dispute_lost')) THEN
        RETURN QUERY SELECT 'ignored', NULL::bigint, NULL;
        RETURN;
    END IF;
    IF EXISTS (SELECT 1 FROM shop_orders o
               WHERE o.provider = p_provider AND o.payment_ref = p_payment AND o.id <> v_order) THEN
        RETURN QUERY SELECT shop_contradiction(p_provider, p_event, p_kind, v_order, p_payment, p_amount,
                                               p_currency),
                            o.id, o.state FROM shop_orders o WHERE o.id = v_order;
        RETURN;
    END IF;
    INSERT INTO shop_events (provider, event_id, kind, order_id, payment_ref, subject, amount_minor,
                             price_minor, currency, part, happened_at)
    VALUES (p_provider, p_event, p_kind, v_order, p_payment, p_subject, p_amount, p_price, p_currency, p_part,
            p_happened_at)
    ON CONFLICT DO NOTHING RETURNING * INTO v_event;
    IF v_event.event_id IS NULL OR v_order IS NULL THEN
        RETURN QUERY SELECT CASE WHEN v_event.event_id IS NULL THEN 'repeated' ELSE 'kept' END, v_order,
                            (SELECT o.state FROM shop_orders o WHERE o.id = v_order);
        RETURN;
    END IF;
    PERFORM shop_apply(v_order, v_event);
    FOR e IN SELECT * FROM shop_events x
             WHERE x.provider = p_provider AND x.payment_ref = p_payment AND x.order_id IS NULL
               AND NOT x.contradicts
             ORDER BY x.at, x.event_id LOOP
        UPDATE shop_events x SET order_id = v_order WHERE x.provider = e.provider AND x.event_id = e.event_id;
        PERFORM shop_apply(v_order, e);
    END LOOP;
    RETURN QUERY SELECT 'ok', o.id, o.state FROM shop_orders o WHERE o.id = v_order;
END $$;

COMMENT ON FUNCTION do_shop_event IS
'Processes an event that a provider reported, or returned for a query. p_token, p_ref, p_payment: those by
which the event names the order. p_price: of a payment, the price before discounts (NULL: p_amount). p_part:
p_amount is that of one refund alone. kept: the payment is unknown; the event is applied once it is known.
ignored: it concerns none of our orders. payment_of_another: it names one order and the payment of another;
flagged, and applied to neither.
Key: p_event of the provider.
Refusals: repeated, kept, ignored, payment_of_another.
Locks: the payment''s name, the order''s row, the player, the ledger.
Called by api, do_shop_receipt.';
