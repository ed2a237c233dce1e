CREATE OR REPLACE FUNCTION do_sleep_table(p_table bigint, p_epoch bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.asleep THEN 'already_done'
                   WHEN v_table.state <> 'playing' OR v_table.turn_hours IS NULL THEN 'not_playing'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN NOT EXISTS (SELECT 1 FROM slow_turns t WHERE t.table_id = p_table) THEN 'no_turn'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE tables SET asleep = true WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_sleep_table IS
'Puts a table to sleep: it leaves the memory of its node and belongs to no node until do_wake_table or
do_wake_due.
Refusals: already_done, no_such_table, not_playing (also: not a correspondence table), stale_epoch, no_turn
(it waits for no player, so nothing would wake it).
Called by db.';
