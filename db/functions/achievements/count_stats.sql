CREATE OR REPLACE FUNCTION count_stats(p_game games) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_stats (player_id, variant)
    SELECT r.player_id, p_game.variant FROM game_players r
    WHERE r.game_id = p_game.id AND r.player_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    UPDATE player_stats s
    SET games = s.games + 1, rated = s.rated + p_game.rated::integer, wins = s.wins + r.won::integer,
        points = s.points + CASE WHEN p_game.rated THEN r.game_points ELSE 0 END,
        opened = s.opened + r.opened::integer, rummies = s.rummies + r.rummy::integer,
        places[r.place] = s.places[r.place] + 1,
        streak = CASE WHEN NOT p_game.rated THEN s.streak WHEN r.won THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN p_game.rated AND r.won THEN s.streak + 1 ELSE 0 END)
    FROM game_players r
    WHERE r.game_id = p_game.id AND s.player_id = r.player_id AND s.variant = p_game.variant;
END $$;

COMMENT ON FUNCTION count_stats IS
'Adds a finished game to the statistics of its people.
Called by count_finished_table.';
