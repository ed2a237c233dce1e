CREATE OR REPLACE FUNCTION settle_meetings(p_tables bigint[], p_codes text[]) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_day   date := local_day(now());
    v_most  bigint := setting_int('same_players_games_per_day');
    v_tired bigint[];
BEGIN
    WITH met AS (
        INSERT INTO meetings AS m (low_id, high_id, day, games)
        SELECT a.player_id, b.player_id, v_day, 1
        FROM unnest(p_tables, p_codes) u (id, code)
        JOIN tables t ON t.id = u.id AND t.id = ANY (p_tables) AND NOT t.practice
        JOIN seats a ON a.table_id = t.id JOIN seats b ON b.table_id = t.id AND b.player_id > a.player_id
        WHERE u.code = 'ok'
        ON CONFLICT (low_id, high_id) DO UPDATE
        SET day = v_day, games = CASE WHEN m.day = v_day THEN m.games + 1 ELSE 1 END
        RETURNING low_id, high_id, games
    ), beside AS (
        SELECT low_id AS player_id, high_id AS other_id, games FROM met
        UNION ALL SELECT high_id, low_id, games FROM met
    )
    SELECT array_agg(player_id) INTO v_tired
    FROM (SELECT b.player_id FROM beside b LEFT JOIN withheld_players w ON w.player_id = b.other_id
          GROUP BY b.player_id HAVING bool_and(b.games > v_most OR w.player_id IS NOT NULL)
          UNION
          SELECT w.player_id
          FROM unnest(p_tables, p_codes) u (id, code)
          JOIN seats s ON s.table_id = u.id AND s.table_id = ANY (p_tables)
          JOIN withheld_players w ON w.player_id = s.player_id
          WHERE u.code = 'ok') p;
    RETURN coalesce(v_tired, '{}');
END $$;

COMMENT ON FUNCTION settle_meetings IS
'Counts, for each pair of players at these tables, that they met in a game today; practice games do not
count. Returns the players for whom the game brings only chips, because for each of the others at their
table, they have already met in same_players_games_per_day games today, or the rewards of one of the two are
withheld. The caller holds the players'' locks.
Called by do_settle_batch.';
