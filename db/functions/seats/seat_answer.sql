CREATE OR REPLACE FUNCTION seat_answer(p_player bigint, p_table tables, p_seat smallint, p_ticket uuid)
    RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN (seat_answers(ARRAY[p_player], ARRAY[p_table.id], ARRAY[p_seat], ARRAY[p_ticket]))[1];
END $$;

COMMENT ON FUNCTION seat_answer IS
'Like seat_answers, for one seat.
Called by do_daily_play, do_join_table, do_new_ticket, do_open_table, do_rematch.';
