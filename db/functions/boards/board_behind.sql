CREATE OR REPLACE FUNCTION board_behind(p_board integer, p_score bigint, p_player bigint, p_limit bigint,
                                        OUT players bigint[], OUT scores bigint[])
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND (score, -player_id) < (coalesce(p_score, 9223372036854775807),
                                                              -coalesce(p_player, 0))
          ORDER BY score DESC, (-player_id) DESC LIMIT p_limit) e;
END $$;

COMMENT ON FUNCTION board_behind IS
'The entries below a place of a board, best first; p_score NULL: from the top.
Called by q_board, q_board_around.';
