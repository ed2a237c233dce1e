CREATE OR REPLACE FUNCTION do_shop_sweep()
    RETURNS TABLE (expired bigint, forgotten bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE shop_orders SET state = 'expired', why = 'never_opened'
    WHERE state = 'created' AND expires_at < now();
    GET DIAGNOSTICS expired = ROW_COUNT;
    DELETE FROM shop_events
    WHERE order_id IS NULL AND at < now() - make_interval(secs => setting_int('shop_unmatched_s'));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION do_shop_sweep IS
'Ends orders nobody was ever sent to pay for, and forgets what was told of payments that are not ours.
Returns how many.
Called by server.';
