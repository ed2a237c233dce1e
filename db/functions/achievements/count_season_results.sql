CREATE OR REPLACE FUNCTION count_season_results() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO counts_due (player_id, counter, n)
    SELECT player_id, x.counter, 1 FROM new_rows r
    CROSS JOIN LATERAL (SELECT 'promotions' WHERE r.reason = 'promoted'
                        UNION ALL SELECT 'league_wins'
                        WHERE r.place = 1 AND r.reason <> 'too_few_games') AS x (counter)
    ORDER BY player_id;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION count_season_results IS
'Promotions and won leagues count towards achievements. What a season''s end brings is worked off later, by
do_counts_due: nobody holds the players'' locks here.
Called by the trigger count_season_results of season_results.';
