CREATE OR REPLACE FUNCTION variant_points(p_place integer, p_seats integer) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT floor(setting_int('variant_points_most')
                         - setting_int('variant_points_span') * (p_place - 1)::numeric
                             / greatest(1, p_seats - 1))::integer);
END $$;

COMMENT ON FUNCTION variant_points IS
'Points of place p of n in the variants that have none of their own: floor(most - span * (p - 1) / (n - 1)).
Called by game_player_points.';
