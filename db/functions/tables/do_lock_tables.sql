CREATE OR REPLACE FUNCTION do_lock_tables(p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM tables WHERE id = ANY (p_tables) ORDER BY id FOR NO KEY UPDATE;
    PERFORM lock_players(ARRAY(SELECT DISTINCT player_id FROM seats
                               WHERE table_id = ANY (p_tables) AND player_id IS NOT NULL));
END $$;

COMMENT ON FUNCTION do_lock_tables IS
'Takes all row locks of these tables and their players in the global order. It is the first statement of a
transaction that starts, settles, or cancels more than one table.
Called by db, do_settle_batch, end_table.';
