CREATE OR REPLACE FUNCTION shop_refund_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT (OLD.state = 'asked' OR OLD.state = 'done' AND NEW.state = 'failed')
       OR (NEW.id, NEW.order_id, NEW.key_id, NEW.token, NEW.reason, NEW.created_at)
          IS DISTINCT FROM (OLD.id, OLD.order_id, OLD.key_id, OLD.token, OLD.reason, OLD.created_at) THEN
        RAISE EXCEPTION 'shop: refund % keeps what it was', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION shop_refund_guard IS
'Ensures that a refund keeps its fields and ends once; a completed one may still fail.
Refusals: check_violation.
Called by the trigger shop_refund_guard of shop_refunds.';
