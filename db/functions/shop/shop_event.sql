CREATE OR REPLACE FUNCTION shop_event_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.order_id IS NOT NULL OR to_jsonb(NEW) - 'order_id' <> to_jsonb(OLD) - 'order_id' THEN
        RAISE EXCEPTION 'shop: event % keeps what it said', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION shop_event_guard IS
'Ensures that an event never changes, except that its order may be filled in later.
Refusals: check_violation.
Called by the trigger shop_event_guard of shop_events.';

CREATE OR REPLACE FUNCTION shop_event_forgotten() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF OLD.order_id IS NOT NULL THEN
        RAISE EXCEPTION 'shop: event % belongs to an order', OLD.event_id USING ERRCODE = 'check_violation';
    END IF;
    RETURN OLD;
END $$;

COMMENT ON FUNCTION shop_event_forgotten IS
'Ensures that only events without an order are removed.
Refusals: check_violation.
Called by the trigger shop_event_forgotten of shop_events.';
