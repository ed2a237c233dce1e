CREATE OR REPLACE FUNCTION seat_answer(p_player bigint, p_table tables, p_seat smallint, p_ticket uuid)
    RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_expires timestamptz := now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0);
BEGIN
    INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
    VALUES (p_ticket, p_table.id, p_player, p_seat, v_expires);
    RETURN seat_json(p_table.id, p_seat, p_ticket, v_expires, p_table.commit, p_table.code);
END $$;

COMMENT ON FUNCTION seat_answer IS
'Writes a ticket for a seat and returns the reply that leads to it, with the members of a seat_taken.
Called by do_daily_play, do_join_table, do_new_ticket, do_open_table, do_rematch, do_take_seat.';
