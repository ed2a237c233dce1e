CREATE OR REPLACE FUNCTION rating_of(p_points bigint, p_games bigint, p_scale bigint, p_most bigint)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT (p_points * p_scale / (p_games * p_most))::integer
$$;

COMMENT ON FUNCTION rating_of IS
'floor(points won * scale / (games * maximum points of a game)).
Called by make_league_rows, settle_points.';
