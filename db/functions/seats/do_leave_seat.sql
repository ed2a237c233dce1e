CREATE OR REPLACE FUNCTION do_leave_seat(p_player bigint, p_table bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_table';
        RETURN;
    END IF;
    SELECT * INTO v_seat FROM seats WHERE table_id = p_table AND player_id = p_player;
    IF NOT FOUND OR v_table.state <> 'waiting' OR v_table.visibility = 'house' THEN
        RETURN QUERY SELECT CASE WHEN v_seat.table_id IS NULL THEN 'no_such_seat'
                                 WHEN v_table.state = 'waiting' THEN 'seat_is_given'
                                 WHEN v_table.state = 'playing' THEN 'game_running'
                                 WHEN v_table.state = 'lost' THEN 'table_lost' ELSE 'table_over' END;
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    PERFORM refund_stake(v_seat, 'left while waiting');
    DELETE FROM tickets WHERE table_id = p_table AND player_id = p_player;
    DELETE FROM seats WHERE table_id = p_table AND player_id = p_player;
    UPDATE tables SET people_n = people_n - 1,
                      bots_n = least(bots_kept, seats_n - people_n + 1),
                      state = CASE WHEN people_n = 1 THEN 'cancelled' ELSE state END,
                      ended_at = CASE WHEN people_n = 1 THEN now() END
    WHERE id = p_table;
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_leave_seat IS
'Leaves a waiting table: the stake is refunded, a bot gets its seat back, and the table closes if no human
player is left.
Refusals: no_such_table, no_such_seat, seat_is_given (a table of the house), game_running, table_lost,
table_over.
Called by db, waiting_seats_leave.';
