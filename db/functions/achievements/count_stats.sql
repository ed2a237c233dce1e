CREATE OR REPLACE FUNCTION count_stats(p_people settled_seat[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_unrated bigint[] := ARRAY(SELECT player_id FROM unnest(p_people) WHERE NOT rated);
BEGIN
    INSERT INTO player_stats AS s (player_id, variant, games, rated, points, wins, opened, rummies, places,
                                   streak, streak_best)
    SELECT player_id, variant, 1, (rated AND took_part)::integer,
           CASE WHEN rated THEN game_points ELSE 0 END, (won AND took_part)::integer,
           (opened AND took_part)::integer, (rummy AND took_part)::integer,
           array_fill(0::bigint, ARRAY[place - 1]) || 1::bigint || array_fill(0::bigint, ARRAY[6 - place]),
           (rated AND won AND took_part)::integer, (rated AND won AND took_part)::integer
    FROM unnest(p_people)
    ON CONFLICT (player_id, variant) DO UPDATE
    SET games = s.games + 1, rated = s.rated + excluded.rated, points = s.points + excluded.points,
        wins = s.wins + excluded.wins, opened = s.opened + excluded.opened,
        rummies = s.rummies + excluded.rummies,
        places[array_position(excluded.places, 1)] = s.places[array_position(excluded.places, 1)] + 1,
        streak = CASE WHEN s.player_id = ANY (v_unrated) THEN s.streak
                      WHEN excluded.streak = 1 THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN excluded.streak = 1 THEN s.streak + 1 ELSE 0 END);
END $$;

COMMENT ON FUNCTION count_stats IS
'Adds finished games to the statistics of their players. For a player who did not take part, only the game and
their place are counted, and a rated game ends their streak.
Called by count_games.';
