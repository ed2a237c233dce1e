CREATE OR REPLACE FUNCTION add_rating(p_player bigint, p_variant text, p_at timestamptz, p_points bigint,
                                      p_won boolean, p_rummy boolean, p_clover bigint DEFAULT 0)
    RETURNS integer
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating, clover)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, rating_of(p_points, 1),
           p_clover
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, rating = rating_of(r.points + excluded.points, r.games + 1),
        clover = r.clover + excluded.clover;
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

COMMENT ON FUNCTION add_rating IS
'Counts a rated game, for all time and for its month. Returns the rating of all time.
Called by settle_points.';
