CREATE OR REPLACE FUNCTION monthly_prizes_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_people_min bigint := setting_int('prize_people_min');
    v_period text;
    v_from   timestamptz;
    v_until  timestamptz;
    v_row    record;
    v_n      bigint := 0;
    v_gold   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd months', 0));
    PERFORM lock_seasons(true); -- games whose settlement began before the month ended
    v_period := (SELECT min(period) FROM boards WHERE period ~ '^[0-9]{4}-[0-9]{2}$'
                 AND period < to_char(local_day(p_at), 'YYYY-MM') AND kind <> 'league'
                 AND period NOT IN (SELECT period FROM month_closings));
    IF v_period IS NULL THEN
        RETURN ROW(false, '{"months": 0}')::job_step;
    END IF;
    v_from := midnight_of((v_period || '-01')::date);
    v_until := midnight_of(((v_period || '-01')::date + interval '1 month')::date);
    INSERT INTO month_closings (period) VALUES (v_period);
    INSERT INTO month_winners (period, variant, kind, place, player_id, value, gold)
    SELECT v_period, z.variant, z.kind, z.place, t.player_id, board_value(z.kind, t.score), z.gold
    FROM boards b
    CROSS JOIN LATERAL (SELECT e.player_id, e.score,
                               row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
                        FROM (SELECT * FROM board_entries o WHERE o.board_id = b.id
                              ORDER BY o.score DESC, (-o.player_id) DESC
                              LIMIT (SELECT max(place) FROM month_prizes)) e) t
    JOIN month_prizes z ON z.variant = b.variant AND z.kind = b.kind AND z.place = t.place
    WHERE b.period = v_period
      AND (v_people_min = 0 OR opponents_met_n(t.player_id, b.variant, v_from, v_until) >= v_people_min);
    PERFORM lock_players(ARRAY(SELECT player_id FROM month_winners WHERE period = v_period));
    FOR v_row IN SELECT * FROM month_winners WHERE period = v_period ORDER BY player_id, variant, kind LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'month',
                          'month:' || v_period || ':' || v_row.variant || ':' || v_row.kind || ':'
                              || v_row.place, '');
        PERFORM notify_player(v_row.player_id,
                              'month_prize', jsonb_build_object('month', v_period, 'variant', v_row.variant,
                              'board', v_row.kind, 'place', v_row.place, 'gold', v_row.gold));
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    RETURN ROW(true, jsonb_build_object('months', 1, 'prizes', v_n, 'gold', v_gold))::job_step;
END $$;

COMMENT ON FUNCTION monthly_prizes_step IS
'Pays the prizes of one past month, the oldest first. A player who met fewer than prize_people_min others in
its games keeps their place, and the prize of that place is not paid: otherwise, a few accounts that play
only with each other could take everyone''s prizes.
Key of each transfer: `month:<month>:<variant>:<board>:<place>`.
Called by the job monthly_prizes.';
