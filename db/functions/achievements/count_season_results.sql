CREATE OR REPLACE FUNCTION count_season_results() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts_due (player_id, counter, n)
    SELECT player_id, x.counter, 1 FROM new_rows r
    CROSS JOIN LATERAL (SELECT 'promotions' WHERE r.reason = 'promoted'
                        UNION ALL SELECT 'league_wins'
                        WHERE r.place = 1 AND r.reason <> 'too_few_games'
                                  AND (SELECT season_met_enough(s, r.player_id)
                                       FROM seasons s WHERE s.no = r.season_no)) AS x (counter)
    ORDER BY player_id;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION count_season_results IS
'Counts promotions and won leagues towards achievements. do_counts_due processes them later, because the
players'' locks are not held here.
Called by the trigger count_season_results of season_results.';
