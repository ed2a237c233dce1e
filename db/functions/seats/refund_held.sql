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
'Refunds what is held for a seat of a lost table, whatever the amount should be: its books may be the reason
for the loss, and it must end all the same. Returns the amount. The caller holds the locks.
Key of the transfer: that of refund_post; if that was already used for something else, with `:lost` appended.
Called by end_table.';
