CREATE OR REPLACE FUNCTION refund_stake(p_seat seats, p_note text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_seat.stake_silver + p_seat.stake_gold = 0 THEN
        RETURN;
    END IF;
    PERFORM ledger_post('refund', 'refund:table:' || p_seat.table_id || ':take:' || p_seat.take,
                        p_seat.table_id, p_note,
        ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_seat.stake_silver, 'refund'),
            ROW(account_purse(p_seat.player_id, 'silver'), p_seat.stake_silver, 'refund'),
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_seat.stake_gold, 'refund'),
            ROW(account_purse(p_seat.player_id, 'gold'), p_seat.stake_gold, 'refund')]::ledger_leg[]);
END $$;

COMMENT ON FUNCTION refund_stake IS
'Gives the stake of a seat back. The caller holds the locks.
Key of the transfer: `refund:table:<table>:take:<n>`, so once for each time the seat was taken.
Called by do_cancel_table, do_leave_seat, start_solo.';
