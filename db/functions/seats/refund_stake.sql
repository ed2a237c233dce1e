CREATE OR REPLACE FUNCTION refund_stake(p_seat seats, p_note text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT refund_post(p_seat, p_seat.stake_silver, p_seat.stake_gold, p_note, '') THEN
        RAISE EXCEPTION 'the stake of table %, take % was given back before', p_seat.table_id, p_seat.take;
    END IF;
END $$;

COMMENT ON FUNCTION refund_stake IS
'Refunds the stake of a seat. The caller holds the locks.
Key of the transfer: that of refund_post. Raises if it was used before, or the stake is not held.
Called by do_leave_seat, end_table, start_solos.';
