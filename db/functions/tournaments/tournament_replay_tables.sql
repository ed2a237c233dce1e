CREATE OR REPLACE FUNCTION tournament_replay_tables(p_tournament tournaments) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_row   tournament_tables;
    v_any   boolean := false;
    v_late  boolean := coalesce(p_tournament.round_ends_at <= now(), false);
BEGIN
    FOR v_row IN
        SELECT t.* FROM tournament_tables t JOIN tables b ON b.id = t.table_id
        WHERE t.tournament_id = p_tournament.id AND t.round_no = p_tournament.round_no AND t.over_at IS NULL
          AND b.state IN ('lost', 'cancelled')
        ORDER BY t.table_no LIMIT 50 LOOP
        v_any := true;
        IF NOT v_late AND v_row.tries < setting_int('tournament_tries_max')
           AND NOT (p_tournament.duplicate
                    AND EXISTS (SELECT 1 FROM hands h
                                WHERE h.table_id = v_row.table_id AND h.dealt_at IS NOT NULL)) THEN
            UPDATE tournament_tables SET table_id = NULL
            WHERE tournament_id = v_row.tournament_id AND round_no = v_row.round_no
              AND table_no = v_row.table_no;
            CONTINUE;
        END IF;
        CONTINUE WHEN v_late AND NOT p_tournament.duplicate AND tournament_standing(v_row.table_id);
        UPDATE tournament_seats s SET place = o.place, points = 0,
               margin = CASE WHEN NOT p_tournament.duplicate THEN 0 END,
               score = CASE WHEN NOT p_tournament.duplicate
                            THEN tournament_score(o.place::integer, 1, v_row.seats_n) END
        FROM (SELECT seat, row_number() OVER (ORDER BY lot) AS place FROM tournament_seats
              WHERE tournament_id = v_row.tournament_id AND round_no = v_row.round_no
                AND table_no = v_row.table_no) o
        WHERE s.tournament_id = v_row.tournament_id AND s.round_no = v_row.round_no
          AND s.table_no = v_row.table_no AND s.seat = o.seat;
        UPDATE tournament_tables SET over_at = now(), by_lot = true
        WHERE tournament_id = v_row.tournament_id AND round_no = v_row.round_no AND table_no = v_row.table_no;
    END LOOP;
    RETURN v_any;
END $$;

COMMENT ON FUNCTION tournament_replay_tables IS
'Replays tables that ended without a result (canceled or lost) with the same seats, up to
tournament_tries_max times; then places are drawn by lot. They are drawn by lot at once if the cards of a
duplicate were dealt, because players who have seen them must not play them at another table. Once the time
of the round is over, no table is replayed: it gets the places of its last finished hand or, without one or
in a duplicate, places by lot. Returns whether there was such a table.
Called by do_tournament_step.';
