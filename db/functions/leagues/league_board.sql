CREATE OR REPLACE FUNCTION league_board(p_season integer, p_position integer) RETURNS integer
    LANGUAGE sql AS $$
    SELECT board_of('league', 'rummy51', p_season || ':' || p_position)
$$;

COMMENT ON FUNCTION league_board IS
'The board that orders the table of a league in a season.
Called by league_decisions, league_ranked_n, make_league_rows, q_season_preview.';
