CREATE OR REPLACE FUNCTION game_points(p_variant text, p_place integer, p_opened boolean,
                                       p_cards_left integer)
    RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT least(setting_int('game_points_max'),
                         coalesce((SELECT points FROM place_points
                                   WHERE variant = p_variant AND place = p_place), 0)
                         + CASE WHEN p_opened THEN setting_int('opened_points') ELSE 0 END
                         + greatest(0, setting_int('discarded_points') - p_cards_left))::integer);
END $$;

COMMENT ON FUNCTION game_points IS
'Points of a game for a place, for having opened and for cards thrown.
Called by store_game.';
