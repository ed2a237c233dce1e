CREATE OR REPLACE FUNCTION shop_contradiction(p_provider text, p_event text, p_kind text, p_order bigint,
                                              p_payment text, p_amount bigint, p_currency text)
    RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_events (provider, event_id, kind, payment_ref, amount_minor, currency, contradicts)
    VALUES (p_provider, p_event, p_kind, p_payment, p_amount, p_currency, true)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'repeated';
    END IF;
    INSERT INTO shop_flags (order_id, reason, event, amount_minor, currency)
    VALUES (p_order, 'payment_of_another', p_event, p_amount, p_currency);
    RETURN 'payment_of_another';
END $$;

COMMENT ON FUNCTION shop_contradiction IS
'Stores and flags an event that names one order and the payment of another. The owner of the money is
unknown, so no gold moves. A repeat would not help, so the provider gets a success response. Returns the
code for the log.
Called by do_shop_event.';
