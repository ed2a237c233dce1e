CREATE OR REPLACE FUNCTION league_ranked_n(p_season integer, p_position integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN board_place(league_board(p_season, p_position), (1::bigint << 60) - 1, -9223372036854775807) - 1;
END $$;

COMMENT ON FUNCTION league_ranked_n IS
'Number of players with enough games in a league: all those above the place that a player with one game too
few and the highest possible score would have.
Called by q_season_preview, season_close, season_rank.';
