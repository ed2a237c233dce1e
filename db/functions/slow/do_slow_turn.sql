CREATE OR REPLACE FUNCTION do_slow_turn(p_table bigint, p_epoch bigint, p_v integer, p_seats smallint[],
                                        p_here smallint[])
    RETURNS TABLE (code text, due_ms bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_turn  slow_turns;
    v_code  text;
    v_due   bigint;
    v_ends  timestamptz;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state <> 'playing' OR v_table.turn_hours IS NULL THEN 'not_playing'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        DELETE FROM slow_turns WHERE table_id = p_table AND (v <> p_v OR seat <> ALL (p_seats));
        v_ends := date_trunc('second', now()) + make_interval(hours => v_table.turn_hours);
        FOR v_turn IN
            INSERT INTO slow_turns (table_id, seat, player_id, v, due_at, left_for, told)
            SELECT p_table, s.seat, s.player_id, p_v,
                   CASE WHEN p.banned_at IS NOT NULL THEN now() WHEN h.player_id IS NULL THEN v_ends END,
                   CASE WHEN h.player_id IS NOT NULL THEN make_interval(hours => v_table.turn_hours) END,
                   s.seat = ANY (p_here) OR p.banned_at IS NOT NULL
            FROM seats s JOIN players p ON p.id = s.player_id
            LEFT JOIN vacations h ON h.player_id = s.player_id AND h.until > now() AND p.banned_at IS NULL
            WHERE s.table_id = p_table AND s.seat = ANY (p_seats)
            ON CONFLICT (table_id, seat) DO NOTHING
            RETURNING * LOOP
            PERFORM slow_turn_notify(v_turn);
        END LOOP;
        SELECT CASE WHEN bool_and(due_at IS NOT NULL)
                    THEN (extract(epoch FROM max(due_at)) * 1000)::bigint END
        INTO v_due FROM slow_turns WHERE table_id = p_table;
    END IF;
    RETURN QUERY SELECT v_code, v_due;
END $$;

COMMENT ON FUNCTION do_slow_turn IS
'Records that a correspondence turn has begun, with version p_v of the game: it waits for the players of
p_seats, of whom those of p_here are connected, and notifies the others. Their time begins now; for a player
on vacation, it begins when they return, and for a banned player, it is over at once. due_ms: when the turn
is over for all of them, in ms since 1970; NULL: a player is on vacation.
Key: (table, seat, p_v); no player is notified of a turn twice.
Refusals: no_such_table, not_playing (also: not a correspondence table), stale_epoch.
Called by db.';
