CREATE OR REPLACE FUNCTION board_among(p_board integer, p_players bigint[], p_score bigint, p_after bigint,
                                       p_limit bigint, OUT players bigint[], OUT scores bigint[])
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
    p_score := coalesce(p_score, 9223372036854775807);
    p_after := coalesce(p_after, 0);
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND player_id = ANY (p_players)
            AND score <= p_score AND (score < p_score OR player_id > p_after)
          ORDER BY score DESC, player_id LIMIT p_limit) e;
END $$;

COMMENT ON FUNCTION board_among IS
'The scores of these players, the best p_limit after (p_score, p_after). Uses scalar comparisons, because
comparing and sorting hundreds of row values would add a third to the cost of looking them up.
Called by board_page_among.';
