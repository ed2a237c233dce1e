CREATE OR REPLACE FUNCTION tournament_round_end(p_tournament tournaments) RETURNS tournaments
    LANGUAGE plpgsql AS $$
DECLARE
    t          tournaments := p_tournament;
    v_in       integer;
    v_tables   integer;
    v_keep     integer;
BEGIN
    IF t.duplicate THEN
        PERFORM tournament_matchpoints(t);
        PERFORM tournament_deals_open(t.id);
    END IF;
    UPDATE tournament_entries e
    SET score = e.score + s.score, margin = e.margin + s.margin,
        matchpoints = e.matchpoints + CASE WHEN t.duplicate
                                           THEN tournament_beaten(s.beaten, s.compared) ELSE 0 END,
        -- Neither a bye nor a table where places were drawn by lot counts as won.
        wins = e.wins + (s.score = 120 AND k.seats_n > 1 AND NOT k.by_lot)::integer,
        byes = e.byes + (k.seats_n = 1)::integer
    FROM tournament_seats s
    JOIN tournament_tables k ON k.tournament_id = s.tournament_id AND k.round_no = s.round_no
                            AND k.table_no = s.table_no
    WHERE s.tournament_id = t.id AND s.round_no = t.round_no AND e.tournament_id = t.id
      AND e.entry_no = s.entry_no;
    SELECT count(*), count(DISTINCT table_no) INTO v_in, v_tables FROM tournament_seats
    WHERE tournament_id = t.id AND round_no = t.round_no;
    v_keep := CASE WHEN t.kind = 'swiss' THEN CASE WHEN t.round_no < t.rounds_n THEN v_in ELSE 0 END
                   WHEN t.kind = 'teams' THEN v_in -- placed by team below
                   WHEN v_tables = 1 THEN 0
                   WHEN t.kind = 'stages'
                   THEN least(v_in - 1, greatest(t.seats_n, ceil(v_in * t.keep_percent / 100.0)::integer))
                   END;
    WITH buchholz AS (
        SELECT a.entry_no, sum(CASE WHEN t.duplicate THEN round(120 * o.matchpoints, 10)
                                    ELSE o.score END) AS met
        FROM tournament_seats a
        JOIN tournament_seats b ON b.tournament_id = t.id AND b.round_no = a.round_no
                               AND b.table_no = a.table_no AND b.seat <> a.seat
        JOIN tournament_entries o ON o.tournament_id = t.id AND o.entry_no = b.entry_no
        WHERE t.kind = 'swiss' AND v_keep = 0 AND a.tournament_id = t.id
        GROUP BY a.entry_no
    ), seated AS (
        SELECT s.entry_no, s.table_no, s.place, s.margin AS round_margin, s.lot, e.margin, e.wins,
               CASE WHEN t.duplicate THEN round(120 * e.matchpoints, 10) ELSE e.score END AS score,
               count(*) OVER (PARTITION BY s.table_no) AS n, coalesce(b.met, 0) AS met
        FROM tournament_seats s
        JOIN tournament_entries e ON e.tournament_id = t.id AND e.entry_no = s.entry_no
        LEFT JOIN buchholz b ON b.entry_no = s.entry_no
        WHERE s.tournament_id = t.id AND s.round_no = t.round_no
    ), nth AS (
        SELECT *, row_number() OVER (PARTITION BY table_no ORDER BY place, round_margin DESC, lot) AS at_table
        FROM seated
    ), ranked AS (
        SELECT *, row_number() OVER (ORDER BY
            CASE WHEN t.kind = 'knockout' AND v_keep IS NULL
                      AND at_table <= greatest(1, least(t.advance_n, n - 1)) THEN 0 ELSE 1 END,
            CASE WHEN t.kind = 'knockout' OR t.kind = 'stages' AND v_keep = 0 THEN place END,
            CASE WHEN t.kind = 'knockout' THEN round_margin
                 WHEN t.kind = 'stages' AND NOT t.duplicate THEN margin ELSE score END DESC,
            CASE WHEN t.kind = 'swiss' THEN met WHEN t.duplicate THEN margin
                 WHEN t.kind = 'stages' THEN score END DESC,
            CASE t.kind WHEN 'swiss' THEN margin END DESC, wins DESC, lot) AS place_now,
            CASE WHEN v_keep IS NULL
                 THEN sum((at_table <= greatest(1, least(t.advance_n, n - 1)))::integer) OVER ()
                 ELSE v_keep END AS keep
        FROM nth
    )
    UPDATE tournament_entries e SET out_round = t.round_no, place = r.place_now
    FROM ranked r
    WHERE e.tournament_id = t.id AND e.entry_no = r.entry_no AND r.place_now > r.keep;
    UPDATE tournament_entries e SET out_round = t.round_no, place = r.place
    FROM tournament_teams(t) r
    WHERE t.kind = 'teams' AND e.tournament_id = t.id AND e.team = r.team;
    UPDATE tournaments SET round_over = true, next_at = now() + make_interval(secs => break_s)
    WHERE id = t.id RETURNING * INTO t;
    RETURN t;
END $$;

COMMENT ON FUNCTION tournament_round_end IS
'Counts a round whose tables are all over, and determines who advances; the others get their place
(docs/tournaments.md has the order). The next round may be drawn after break_s.
Key: round_over of the tournament, which the caller has locked.
Called by do_tournament_step.';
