CREATE OR REPLACE FUNCTION do_cancel_table(p_table bigint, p_epoch bigint, p_reason text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'cancelled' THEN 'already_done'
                   WHEN v_table.state = 'finished' THEN 'table_over'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table AND player_id IS NOT NULL
                      ORDER BY seat LOOP
            PERFORM refund_stake(v_seat, p_reason);
            IF v_table.solo_day IS NOT NULL THEN
                UPDATE solo_games SET games = games - 1
                WHERE player_id = v_seat.player_id AND day = v_table.solo_day AND games > 0;
            END IF;
        END LOOP;
        DELETE FROM journal WHERE table_id = p_table;
        UPDATE seats SET live = false WHERE table_id = p_table;
        UPDATE tables SET state = 'cancelled', ended_at = now() WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_cancel_table IS
'Ends a table without a result: every stake goes back exactly, and a solo game is not counted.
Refusals: already_done, no_such_table, stale_epoch, table_over (finished).
Called by db, do_admin_cancel, stale_tables_step.';
