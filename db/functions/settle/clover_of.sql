CREATE OR REPLACE FUNCTION clover_of(p_game_points integer, p_rummy boolean, p_rummy_points bigint,
                                     p_multiplier_tenths integer)
    RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT (p_game_points + CASE WHEN p_rummy THEN p_rummy_points ELSE 0 END) * p_multiplier_tenths / 10
$$;

COMMENT ON FUNCTION clover_of IS
'Clover points of a game: floor((points + bonus for a rummy) * multiplier).
Called by settle_seats.';
