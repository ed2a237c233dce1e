CREATE OR REPLACE FUNCTION tournament_finish(p_tournament tournaments) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_min    integer;
    v_silver bigint := (SELECT balance FROM accounts WHERE kind = 'pot' AND tournament_id = p_tournament.id
                                                       AND currency = 'silver');
    v_gold   bigint := (SELECT balance FROM accounts WHERE kind = 'pot' AND tournament_id = p_tournament.id
                                                       AND currency = 'gold');
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
    SELECT max(entries_min) INTO v_min FROM prize_shares
    WHERE prize_table = p_tournament.prize_table AND entries_min <= p_tournament.people_n;
    FOR v_prize IN
        SELECT e.entry_no, e.player_id, z.*
        FROM (SELECT entry_no, player_id,
                     row_number() OVER (ORDER BY place, score DESC, margin DESC, entry_no) AS nth
              FROM tournament_entries
              WHERE tournament_id = p_tournament.id AND player_id IS NOT NULL) e
        JOIN (SELECT place, v_silver * share / of_all + CASE WHEN place = 1 THEN v_silver
                         - sum(v_silver * share / of_all) OVER () ELSE 0 END::bigint AS silver,
                     v_gold * share / of_all + CASE WHEN place = 1 THEN v_gold
                         - sum(v_gold * share / of_all) OVER () ELSE 0 END::bigint AS gold
              FROM (SELECT place, share, 10000 AS of_all FROM prize_shares
                    WHERE prize_table = p_tournament.prize_table AND entries_min = v_min
                    UNION ALL
                    SELECT nth, 1, v_equal FROM generate_series(1, v_equal) nth) s) z
             ON z.place = e.nth
        WHERE z.silver + z.gold > 0
        ORDER BY e.nth LOOP
        PERFORM prize_pay(p_tournament.id, v_prize.player_id, v_prize.silver::bigint, v_prize.gold::bigint);
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
    WHERE tournament_id = p_tournament.id AND player_id IS NOT NULL ORDER BY entry_no;
END $$;

COMMENT ON FUNCTION tournament_finish IS
'Ends a tournament that is played: the pot is shared out among its people by their places, bots left out; of
two teams among those of the better one, in equal shares. What does not divide goes to the first in the
standings, in each colour. It counts for who played it.
Key: the state of the tournament, which the caller has locked; of each prize that of prize_pay.
Called by do_tournament_step.';
