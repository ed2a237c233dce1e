CREATE OR REPLACE FUNCTION tournament_draw(p_tournament tournaments, p_round integer,
                                           p_drawn tournament_drawn)
    RETURNS tournaments
    LANGUAGE plpgsql AS $$
DECLARE
    v_draw    integer := p_tournament.draw_no + 1;
    v_seed    bytea := tournament_seed((SELECT seed FROM tournament_secrets
                                        WHERE tournament_id = p_tournament.id),
                                       p_tournament.draws_max - v_draw);
    v_key     bytea := tournament_key(p_tournament);
    v_by_score boolean := p_tournament.kind = 'swiss' AND NOT p_tournament.duplicate;
    v_order   integer[];
    v_bye     integer;
    v_tables  integer;
    v_first   integer := coalesce((SELECT max(table_no) FROM tournament_tables
                                   WHERE tournament_id = p_tournament.id AND round_no = p_round), 0);
    v_new     tournaments;
BEGIN
    INSERT INTO tournament_draws (tournament_id, draw_no, round_no, seed, clients, entries_to, repeats, least)
    VALUES (p_tournament.id, v_draw, p_round, v_seed, p_tournament.clients, p_tournament.entries_no,
            (p_drawn).repeats, (p_drawn).least);
    -- Entrants without a seat in this round: all of them, or late ones.
    SELECT array_agg(e.entry_no ORDER BY tournament_team_seat(e.team, e.nth, p_tournament.seats_n),
                                         CASE WHEN v_by_score THEN -e.score ELSE 0 END, e.lot),
           (array_agg(e.entry_no ORDER BY e.byes, CASE WHEN v_by_score THEN e.score ELSE 0 END,
                                          e.lot DESC))[1]
    INTO v_order, v_bye
    FROM (SELECT o.*, l.lot, row_number() OVER (PARTITION BY o.team ORDER BY l.lot) AS nth
          FROM tournament_entries o CROSS JOIN LATERAL (SELECT tournament_lot(v_key, o.entry_no) AS lot) l
          WHERE o.tournament_id = p_tournament.id AND o.out_round IS NULL
            AND NOT EXISTS (SELECT 1 FROM tournament_seats s
                            WHERE s.tournament_id = o.tournament_id AND s.entry_no = o.entry_no
                              AND s.round_no = p_round)) e;
    v_tables := ceil(cardinality(v_order)::numeric / p_tournament.seats_n);
    IF cardinality(v_order) = 1 OR p_tournament.seats_n = 2 AND cardinality(v_order) % 2 = 1 THEN
        v_order := array_append(array_remove(v_order, v_bye), v_bye); -- alone at the last table
    END IF;
    IF (p_drawn).seats IS NOT NULL THEN
        v_order := (p_drawn).seats;
    END IF;
    INSERT INTO tournament_tables (tournament_id, round_no, table_no, draw_no, seats_n, people_n,
                                   over_at)
    SELECT p_tournament.id, p_round, v_first + k.table_no, v_draw, count(*), count(e.player_id),
           CASE WHEN count(*) = 1 THEN now() END
    FROM generate_series(1, cardinality(v_order)) i
    CROSS JOIN LATERAL tournament_table_of(i, cardinality(v_order), v_tables) k
    JOIN tournament_entries e ON e.tournament_id = p_tournament.id AND e.entry_no = v_order[i]
    GROUP BY k.table_no ORDER BY k.table_no;
    INSERT INTO tournament_seats (tournament_id, round_no, table_no, seat, entry_no, lot, place, points,
                                  score, margin)
    SELECT p_tournament.id, p_round, t.table_no, k.seat, v_order[i], tournament_lot(v_key, v_order[i]),
           CASE WHEN t.seats_n = 1 THEN 1 END, CASE WHEN t.seats_n = 1 THEN 0 END,
           CASE WHEN t.seats_n = 1 THEN CASE WHEN v_by_score THEN 120 ELSE 60 END END,
           CASE WHEN t.seats_n = 1 THEN 0 END
    FROM generate_series(1, cardinality(v_order)) i
    CROSS JOIN LATERAL tournament_table_of(i, cardinality(v_order), v_tables) k
    JOIN tournament_tables t ON t.tournament_id = p_tournament.id AND t.round_no = p_round
                            AND t.table_no = v_first + k.table_no
    ORDER BY i;
    UPDATE tournament_entries SET drawn = true
    WHERE tournament_id = p_tournament.id AND entry_no = ANY (v_order) AND NOT drawn;
    UPDATE tournaments SET draw_no = v_draw, round_no = p_round, round_over = false, next_at = NULL,
        round_ends_at = now() + make_interval(secs => setting_int('tournament_round_ms') / 1000.0)
    WHERE id = p_tournament.id RETURNING * INTO v_new;
    IF v_new.duplicate THEN
        PERFORM tournament_deal(v_new);
    END IF;
    RETURN v_new;
END $$;

COMMENT ON FUNCTION tournament_draw IS
'Draws tables and seats of a round for all remaining entrants without a seat in it, and returns the
tournament''s new state. They are seated in the order of their lots, and two teams sit as in
tournament_team_seat. The server draws later rounds of a Swiss tournament (p_drawn), separating those who
have met; otherwise p_drawn is NULL. Uses the smallest number of tables that can hold them all; table sizes
differ by at most one seat, with the larger ones first. At tables of two, an odd entrant gets a bye: among
those with the fewest byes, the last in order. A bye in a Swiss tournament is worth as much as a win, but
does not count as a won table; in stages and in a duplicate, it is worth half of that.
Key: the draw; the caller has locked the tournament.
Raises if there are more draws than the chain has links.
Called by do_tournament_step, tournament_end_late_entry, tournament_start.';
