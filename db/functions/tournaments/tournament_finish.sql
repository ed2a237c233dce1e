CREATE OR REPLACE FUNCTION tournament_finish(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_gold   bigint := (SELECT balance FROM accounts WHERE kind = 'pot' AND tournament_id = p_tournament.id
                                                       AND currency = 'gold');
    v_pot    bigint := (SELECT sum(balance) FROM accounts
                        WHERE kind = 'pot' AND tournament_id = p_tournament.id);
    v_equal  integer := (SELECT count(*) FROM (SELECT rank() OVER (ORDER BY place) AS nth
                                               FROM tournament_entries
                                               WHERE tournament_id = p_tournament.id
                                                 AND player_id IS NOT NULL) p
                         WHERE p_tournament.kind = 'teams' AND p.nth = 1);
    v_prize  record;
BEGIN
    PERFORM lock_players(ARRAY(SELECT player_id FROM tournament_entries
                               WHERE tournament_id = p_tournament.id AND player_id IS NOT NULL));
    UPDATE tournament_entries SET live = false WHERE tournament_id = p_tournament.id;
    FOR v_prize IN
        SELECT e.entry_no, e.player_id, c.chips - c.gold AS silver, c.gold
        FROM (SELECT entry_no, player_id,
                     row_number() OVER (ORDER BY place, score DESC, margin DESC, entry_no) AS nth
              FROM tournament_entries
              WHERE tournament_id = p_tournament.id AND player_id IS NOT NULL) e
        -- Rounding the running total instead of each prize distributes all of the gold.
        JOIN (SELECT s.place, s.chips, (div(v_gold * s.up_to, nullif(v_pot, 0))
                                        - div(v_gold * (s.up_to - s.chips), nullif(v_pot, 0)))::bigint AS gold
              FROM (SELECT p.place, p.chips, sum(p.chips) OVER (ORDER BY p.place) AS up_to
                    FROM (SELECT place, chips FROM tournament_prizes(p_tournament)
                          UNION ALL
                          SELECT nth, v_pot / nullif(v_equal, 0)
                                      + CASE WHEN nth = 1 THEN v_pot % nullif(v_equal, 0) ELSE 0 END
                          FROM generate_series(1, v_equal) nth) p) s) c
             ON c.place = e.nth
        WHERE c.chips > 0
        ORDER BY e.nth LOOP
        PERFORM prize_pay(p_tournament.id, v_prize.player_id, v_prize.silver, v_prize.gold);
        UPDATE tournament_entries SET prize_silver = v_prize.silver, prize_gold = v_prize.gold
        WHERE tournament_id = p_tournament.id AND entry_no = v_prize.entry_no;
    END LOOP;
    UPDATE tournaments SET state = 'ended', ended_at = now(), next_at = NULL WHERE id = p_tournament.id;
    INSERT INTO notifications (player_id, kind, data)
    SELECT e.player_id, 'tournament_result',
           jsonb_build_object('tournament_id', p_tournament.id::text, 'name', p_tournament.name,
                              'place', e.place, 'entrants', p_tournament.people_n + p_tournament.bots_n,
                              'silver', e.prize_silver, 'gold', e.prize_gold)
           || CASE WHEN p_tournament.kind = 'teams' THEN jsonb_build_object('team', CASE
                  WHEN e.place > 1 THEN 'lost'
                  WHEN EXISTS (SELECT 1 FROM tournament_entries
                               WHERE tournament_id = p_tournament.id AND place > 1) THEN 'won'
                  ELSE 'level' END) ELSE '{}' END
    FROM tournament_entries e WHERE e.tournament_id = p_tournament.id AND e.player_id IS NOT NULL
    ORDER BY e.entry_no;
    INSERT INTO counts_due (player_id, counter, n)
    SELECT player_id, 'tournaments', 1 FROM tournament_entries
    WHERE tournament_id = p_tournament.id AND player_id IS NOT NULL
      AND tournament_played(p_tournament.id, entry_no, player_id)
    ORDER BY entry_no;
END $$;

COMMENT ON FUNCTION tournament_finish IS
'Ends a running tournament and distributes the pot among its human players by their places, without bots
(tournament_prizes). The winners of a match of two teams get equal parts; the first in the standings also
gets the remainder. Each prize has the pot''s ratio of silver and gold. The tournament counts for every
player who took part in one of its games.
Key: the state of the tournament, which the caller has locked; for each prize, that of prize_pay.
Called by do_tournament_step.';
