CREATE OR REPLACE FUNCTION week_counts(p_players bigint[], p_week date)
    RETURNS TABLE (player_id bigint, games bigint, wins bigint)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_from  timestamptz := midnight_of(p_week);
    v_until timestamptz := midnight_of(p_week + 7);
    v_first bigint := game_at((extract(epoch FROM v_from) * 1000)::bigint - 3600000);
    v_last  bigint := game_at((extract(epoch FROM v_until) * 1000)::bigint + 3600000);
BEGIN
    RETURN QUERY
    SELECT p.id, s.games, s.wins
    FROM unnest(p_players) AS p (id)
    CROSS JOIN LATERAL (
        SELECT count(*) AS games, count(*) FILTER (WHERE x.won) AS wins
        FROM game_players x CROSS JOIN LATERAL (SELECT ended_at FROM games WHERE id = x.game_id OFFSET 0) g
        WHERE x.player_id = p.id AND x.game_id >= v_first AND x.game_id < v_last AND x.took_part
          AND g.ended_at >= v_from AND g.ended_at < v_until) s;
END $$;

COMMENT ON FUNCTION week_counts IS
'In how many games of a week each of these players took part, and how many they won; one row per player.
Games are read one by one, by number, because a player has few of them in a week, no matter how many there
are in total.
Called by do_week_notices, week_friends_json.';
