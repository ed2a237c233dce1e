CREATE OR REPLACE FUNCTION node_has_epoch(p_name text, p_epoch bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM nodes WHERE name = p_name AND epoch = p_epoch FOR SHARE;
    RETURN FOUND;
END $$;

COMMENT ON FUNCTION node_has_epoch IS
'Whether the node still has this epoch; the epoch then cannot change until the end of the transaction.
Called by do_adopt_tables, do_cancel_table, do_hand_over_table, do_journal_append, do_lose_table,
do_sleep_table, do_slow_turn, do_start_batch, do_wake_due, do_wake_table, hand_refusal, settle_codes.';
