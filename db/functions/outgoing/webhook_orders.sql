CREATE OR REPLACE FUNCTION webhook_orders() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
DECLARE
    v_event text := CASE WHEN OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL THEN 'order.paid'
                         WHEN NEW.refunded_minor > OLD.refunded_minor THEN 'order.refunded'
                         WHEN NEW.state = 'disputed' AND OLD.state <> 'disputed' THEN 'order.disputed' END;
BEGIN
    IF v_event IS NOT NULL THEN
        PERFORM webhook_put(v_event, jsonb_build_object(
            'order_id', NEW.id::text, 'player_id', NEW.player_id::text, 'pack', NEW.pack_id, 'gold', NEW.gold,
            'amount', NEW.price_minor, 'currency', NEW.currency, 'provider', NEW.provider,
            'refunded', NEW.refunded_minor));
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION webhook_orders IS
'Reports that an order was paid, that more of its money was refunded, or that its buyer disputes it.
Called by the trigger webhook_orders of shop_orders.';
