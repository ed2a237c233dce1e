CREATE OR REPLACE FUNCTION refund_post(p_seat seats, p_silver bigint, p_gold bigint, p_note text,
                                       p_key_end text)
    RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN p_silver + p_gold = 0 OR ledger_post(
        'refund', 'refund:table:' || p_seat.table_id || ':take:' || p_seat.take || p_key_end,
        p_seat.table_id, p_note,
        ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_silver, 'refund'),
            ROW(account_purse(p_seat.player_id, 'silver'), p_silver, 'refund'),
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_gold, 'refund'),
            ROW(account_purse(p_seat.player_id, 'gold'), p_gold, 'refund')]::ledger_leg[]) IS NOT NULL;
END $$;

COMMENT ON FUNCTION refund_post IS
'Moves this amount of what is held for a seat back to its player. The caller holds the locks. false: the key
was used before, and nothing was done.
Key of the transfer: `refund:table:<table>:take:<n>`, that is, once for each time the seat was taken, with
p_key_end appended.
Called by refund_held, refund_stake.';
