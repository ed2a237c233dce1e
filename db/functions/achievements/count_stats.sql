CREATE OR REPLACE FUNCTION count_stats(p_people settled_seat[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_stats AS s (player_id, variant, games, rated, points, wins, opened, rummies, places,
                                   streak, streak_best)
    SELECT player_id, variant, 1, rated::integer, CASE WHEN rated THEN game_points ELSE 0 END, won::integer,
           opened::integer, rummy::integer,
           array_fill(0::bigint, ARRAY[place - 1]) || 1::bigint || array_fill(0::bigint, ARRAY[6 - place]),
           (rated AND won)::integer, (rated AND won)::integer
    FROM unnest(p_people)
    ON CONFLICT (player_id, variant) DO UPDATE
    SET games = s.games + 1, rated = s.rated + excluded.rated, points = s.points + excluded.points,
        wins = s.wins + excluded.wins, opened = s.opened + excluded.opened,
        rummies = s.rummies + excluded.rummies,
        places[array_position(excluded.places, 1)] = s.places[array_position(excluded.places, 1)] + 1,
        streak = CASE WHEN excluded.rated = 0 THEN s.streak
                      WHEN excluded.wins = 1 THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN excluded.streak = 1 THEN s.streak + 1 ELSE 0 END);
END $$;

COMMENT ON FUNCTION count_stats IS
'Adds finished games to the statistics of their people.
Called by count_games.';
