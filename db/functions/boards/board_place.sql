CREATE OR REPLACE FUNCTION board_place(p_board integer, p_score bigint, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT place FROM board_places(p_board, ARRAY[p_player], ARRAY[p_score]));
END $$;

COMMENT ON FUNCTION board_place IS
'The number of entries before the place (p_score, p_player), plus one.
Called by league_ranked_n, q_board_around, q_leagues, q_season_preview.';
