CREATE OR REPLACE FUNCTION shop_transfer_of_order() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM public.shop_transfers WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'shop: transfer % belongs to no order', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION shop_transfer_of_order IS
'Verifies at the end of the transaction that a transfer of the shop belongs to an order.
Refusals: check_violation.
Called by the trigger shop_transfer_of_order of transfers.';
