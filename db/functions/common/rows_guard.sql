CREATE OR REPLACE FUNCTION rows_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%: % of % is not allowed', TG_ARGV[0], lower(TG_OP),
    TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION rows_guard IS
'Prevents any change, deletion, or truncation of a table''s rows. The trigger''s argument names what the
rows belong to.
Refusals: check_violation, always.
Called by the trigger audit_kept of audit, the trigger prize_shares_kept of prize_shares, the trigger
shop_event_kept of shop_events, the trigger shop_log_kept of shop_order_log, the trigger shop_order_kept of
shop_orders, the trigger shop_refund_kept of shop_refunds, the trigger shop_transfer_kept of shop_transfers.';
