CREATE OR REPLACE FUNCTION rating_of(p_points bigint, p_games bigint) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_points * setting_int('rating_scale')
                    / (p_games * setting_int('game_points_max')))::integer);
END $$;

COMMENT ON FUNCTION rating_of IS
'floor(points won * scale / (games * most points of a game)).
Called by add_rating.';
