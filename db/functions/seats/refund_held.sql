CREATE OR REPLACE FUNCTION refund_held(p_seat seats, p_note text, OUT silver bigint, OUT gold bigint)
    LANGUAGE plpgsql AS $$
BEGIN
    SELECT coalesce(sum(balance) FILTER (WHERE currency = 'silver'), 0),
           coalesce(sum(balance) FILTER (WHERE currency = 'gold'), 0)
    INTO STRICT silver, gold FROM accounts
    WHERE kind = 'hold' AND table_id = p_seat.table_id AND player_id = p_seat.player_id;
    IF NOT refund_post(p_seat, silver, gold, p_note, '')
       AND NOT refund_post(p_seat, silver, gold, p_note, ':lost') THEN
        RAISE EXCEPTION 'what table % holds was given back before', p_seat.table_id;
    END IF;
END $$;

COMMENT ON FUNCTION refund_held IS
'Refunds what is held for a seat of a lost table, no matter what the amount should be, because wrong amounts
may be the reason for the loss, and the table must be able to end. Returns the amount. The caller holds the
locks.
Key of the transfer: that of refund_post; if that was already used for something else, with `:lost` appended.
Called by end_table.';
