CREATE OR REPLACE FUNCTION week_games(p_player bigint, p_week date)
    RETURNS TABLE (game_id bigint, variant text, room_id text, won boolean, rummy boolean, place smallint,
                   points integer, game_points integer, clover bigint, rating integer,
                   levels_gained integer, seconds bigint)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_from  timestamptz := midnight_of(p_week);
    v_until timestamptz := midnight_of(p_week + 7);
    v_first bigint := game_at((extract(epoch FROM v_from) * 1000)::bigint - 3600000);
    v_last  bigint := game_at((extract(epoch FROM v_until) * 1000)::bigint + 3600000);
BEGIN
    RETURN QUERY
    SELECT x.game_id, x.variant, g.room_id, x.won, x.rummy, x.place, x.points, x.game_points, x.clover,
           x.rating, x.levels_gained, extract(epoch FROM g.ended_at - g.started_at)::bigint
    FROM game_players x
    CROSS JOIN LATERAL (SELECT o.room_id, o.started_at, o.ended_at FROM games o
                        WHERE o.id = x.game_id OFFSET 0) g
    WHERE x.player_id = p_player AND x.game_id >= v_first AND x.game_id < v_last AND x.took_part
      AND g.ended_at >= v_from AND g.ended_at < v_until;
END $$;

COMMENT ON FUNCTION week_games IS
'The games of a week in which a player took part, found by index among the numbers of games of that week.
seconds: the length of each game.
Called by q_week, week_variants_json.';
