CREATE OR REPLACE FUNCTION shop_refuse() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'shop: % of % is not allowed', lower(TG_OP),
    TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION shop_refuse IS
'Lets nothing of the shop be deleted or truncated, and its moves and log not be changed.
Refusals: check_violation, always.
Called by the trigger shop_event_kept of shop_events, the trigger shop_log_kept of shop_order_log, the
trigger shop_order_kept of shop_orders, the trigger shop_refund_kept of shop_refunds, the trigger
shop_transfer_kept of shop_transfers.';
