CREATE OR REPLACE FUNCTION do_shop_sweep(p_on text[])
    RETURNS TABLE (expired bigint, forgotten bigint, stranded bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'never_opened'
    WHERE state = 'created' AND expires_at < now();
    GET DIAGNOSTICS expired = ROW_COUNT;
    -- The amount paid differs from the price. Another query to the provider would return the same amount.
    UPDATE shop_orders o SET state = 'failed', why = 'amount_differs'
    WHERE o.state = 'pending' AND o.expires_at < now()
      AND EXISTS (SELECT 1 FROM shop_flags f WHERE f.order_id = o.id AND f.reason = 'amount_differs');
    DELETE FROM shop_events
    WHERE order_id IS NULL AND at < now() - make_interval(secs => setting_int('shop_unmatched_s'));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    INSERT INTO shop_flags (order_id, reason)
    SELECT o.id, 'provider_off' FROM shop_orders o
    WHERE (o.state = 'pending' OR o.id IN (SELECT order_id FROM shop_refunds WHERE state = 'asked'))
      AND o.provider <> ALL (p_on)
      AND NOT EXISTS (SELECT 1 FROM shop_flags f WHERE f.order_id = o.id AND f.reason = 'provider_off');
    GET DIAGNOSTICS stranded = ROW_COUNT;
    DELETE FROM shop_flags f USING shop_orders o
    WHERE o.id = f.order_id AND f.reason = 'provider_off' AND f.settled_at IS NULL
      AND o.provider = ANY (p_on);
    UPDATE shop_orders o SET state = 'expired', why = 'expired'
    WHERE o.state = 'pending' AND o.expires_at < now() AND o.provider <> ALL (p_on)
      AND EXISTS (SELECT 1 FROM shop_flags f
                  WHERE f.order_id = o.id AND f.reason = 'provider_off' AND f.settled_at IS NOT NULL);
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION do_shop_sweep IS
'Ends orders whose buyers were never sent to pay, and those that were paid with another amount; removes events
about payments that are not ours. Returns how many. p_on: the enabled providers. Orders and refunds that wait
for another one are flagged provider_off, because they are not queried and its webhooks are refused; stranded:
how many were flagged now. The flag is removed when the provider is enabled again. If an operator settles the
flag, the order expires when its time is over.
Called by server.';
