CREATE OR REPLACE FUNCTION start_solos(p_tables bigint[], OUT practice bigint[], OUT counted bigint[],
                                       OUT day date)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_max  integer := setting_int('solo_games_per_day');
    v_seat seats;
BEGIN
    day := local_day(now());
    PERFORM lock_players(ARRAY(SELECT player_id FROM seats
                               WHERE table_id = ANY (p_tables) AND player_id IS NOT NULL));
    SELECT coalesce(array_agg(n.table_id) FILTER (WHERE n.nth > v_max), '{}'),
           coalesce(array_agg(n.table_id) FILTER (WHERE n.nth <= v_max), '{}')
    INTO practice, counted
    FROM (SELECT s.table_id, coalesce(g.games, 0)
                             + row_number() OVER (PARTITION BY s.player_id ORDER BY s.table_id) AS nth
          FROM seats s LEFT JOIN solo_games g ON g.player_id = s.player_id AND g.day = start_solos.day
          WHERE s.table_id = ANY (p_tables) AND s.player_id IS NOT NULL) n;
    INSERT INTO solo_games AS a (player_id, day, games)
    SELECT player_id, start_solos.day, count(*) FROM seats
    WHERE table_id = ANY (counted) AND player_id IS NOT NULL GROUP BY player_id ORDER BY player_id
    ON CONFLICT (player_id, day) DO UPDATE SET games = a.games + excluded.games;
    IF practice <> '{}' THEN
        FOR v_seat IN SELECT * FROM seats WHERE table_id = ANY (practice) AND player_id IS NOT NULL LOOP
            PERFORM refund_stake(v_seat, 'practice');
        END LOOP;
        UPDATE seats SET stake_silver = 0, stake_gold = 0
        WHERE table_id = ANY (practice) AND player_id IS NOT NULL;
    END IF;
END $$;

COMMENT ON FUNCTION start_solos IS
'Decides whether games with one human player count. It does so when they start, because the players are
final only then. Beyond the daily number of solo games (alone with bots), a game is practice: the stake is
refunded and nothing is won. Returns the practice tables, those that count, and the day they count for.
Called by do_start_batch.';
