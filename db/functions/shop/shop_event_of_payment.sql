CREATE OR REPLACE FUNCTION shop_event_of_payment(e shop_events, p_payment text) RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
    SELECT e.payment_ref IS NULL OR p_payment IS NULL OR e.payment_ref = p_payment
$$;

COMMENT ON FUNCTION shop_event_of_payment IS
'Whether an event of an order is about the payment that bought its gold, and not about a second one or one of
another amount. An event that names no payment is about the order.
Called by shop_dispute, shop_refunded.';
