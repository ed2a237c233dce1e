CREATE OR REPLACE FUNCTION shop_log_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'shop: the log writes itself' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION shop_log_guard IS
'Ensures that the log is written only from within the guard of the orders (depth 2), never by a user''s own
statement.
Refusals: check_violation.
Called by the trigger shop_log_guard of shop_order_log.';
