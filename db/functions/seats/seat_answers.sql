CREATE OR REPLACE FUNCTION seat_answers(p_players bigint[], p_tables bigint[], p_seats smallint[],
                                        p_tickets uuid[])
    RETURNS jsonb[]
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_expires timestamptz := now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0);
BEGIN
    INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
    SELECT u.ticket, u.table_id, u.player_id, u.seat, v_expires
    FROM unnest(p_tickets, p_tables, p_players, p_seats) u (ticket, table_id, player_id, seat);
    RETURN ARRAY(SELECT seat_json(u.table_id, u.seat, u.ticket, v_expires, t.commit, t.code)
                 FROM unnest(p_tables, p_seats, p_tickets) WITH ORDINALITY u (table_id, seat, ticket, n)
                 CROSS JOIN LATERAL (SELECT x.commit, x.code FROM tables x WHERE x.id = u.table_id OFFSET 0) t
                 ORDER BY u.n);
END $$;

COMMENT ON FUNCTION seat_answers IS
'Writes a ticket for each of these seats and returns the replies that lead to them, with the members of a
seat_taken.
Called by do_seat_batch, do_take_seat, seat_answer.';
