CREATE OR REPLACE FUNCTION do_lose_table(p_table bigint, p_epoch bigint, p_why text, p_data jsonb,
                                         p_record text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'lost' THEN 'already_done'
                   WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        INSERT INTO lost_tables (table_id, node, code, data, record)
        VALUES (p_table, v_table.node, p_why, p_data, p_record);
        WITH gone AS (DELETE FROM journal WHERE table_id = p_table RETURNING *)
        INSERT INTO lost_moves (table_id, hand_no, v, epoch, seat, move, hash, command, at, time_bank_ms,
                                hand_clock_ms)
        SELECT table_id, hand_no, v, epoch, seat, move, hash, command, at, time_bank_ms,
               hand_clock_ms FROM gone;
        DELETE FROM slow_turns WHERE table_id = p_table;
        UPDATE tables SET state = 'lost', asleep = false WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_lose_table IS
'Records that a node cannot continue a table. It no longer belongs to any node: no seats, no tickets, no
takeover. Its stakes remain held until end_table. What is known is kept: p_why and p_data give the reason,
p_record the play, and the journal moves to lost_moves.
Refusals: already_done, no_such_table, stale_epoch, table_over (finished or canceled).
Called by db.';
