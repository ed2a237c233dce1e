-- Places of many entries: what is above is added up between one entry asked for and the next, larger pieces as well as what has moved (0167).
CREATE OR REPLACE FUNCTION board_places(p_board integer, p_players bigint[], p_scores bigint[]) RETURNS TABLE (player_id bigint, score bigint, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off
    SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_end bigint := 9223372036854775807; -- behind all places
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT u.player_id, u.score, -u.player_id AS tie, coalesce(n.score, v_end) AS to_score, coalesce(n.tie, v_end) AS to_tie,
               coalesce(m.score, v_end) AS up_score, coalesce(m.tie, v_end) AS up_tie
        FROM unnest(p_players, p_scores) u (player_id, score)
        LEFT JOIN LATERAL (SELECT b.score, b.tie FROM board_pieces b
                           WHERE b.board_id = p_board AND b.level = 0 AND (b.score, b.tie) > (u.score, -u.player_id)
                           ORDER BY b.score, b.tie LIMIT 1) n ON true
        LEFT JOIN LATERAL (SELECT b.score, b.tie FROM board_pieces b
                           WHERE b.board_id = p_board AND b.level = 1 AND (b.score, b.tie) > (u.score, -u.player_id)
                           ORDER BY b.score, b.tie LIMIT 1) m ON true
    ), above AS MATERIALIZED (
        SELECT o.player_id, sum(m.n::integer + p.n::integer) OVER (ORDER BY o.to_score DESC, o.to_tie DESC) AS n
        FROM (SELECT a.*, lag(a.to_score, 1, v_end) OVER w AS before_score, lag(a.to_tie, 1, v_end) OVER w AS before_tie,
                     lag(a.up_score, 1, v_end) OVER w AS before_up_score, lag(a.up_tie, 1, v_end) OVER w AS before_up_tie
              FROM asked a WINDOW w AS (ORDER BY a.to_score DESC, a.to_tie DESC)) o
        CROSS JOIN LATERAL (SELECT coalesce(sum(b.change), 0) AS n FROM board_moves b
                            WHERE b.board_id = p_board AND (b.score, b.tie) >= (o.to_score, o.to_tie)
                              AND (b.score, b.tie) < (o.before_score, o.before_tie)) m
        CROSS JOIN LATERAL (SELECT coalesce(sum(b.n), 0) AS n FROM board_pieces b
                            WHERE b.board_id = p_board AND b.level = 1 AND (b.score, b.tie) >= (o.up_score, o.up_tie)
                              AND (b.score, b.tie) < (o.before_up_score, o.before_up_tie)) p
    )
    SELECT a.player_id, a.score, 1 + v.n + coalesce(g.n, 0) + e.n
    FROM asked a
    JOIN above v ON v.player_id = a.player_id
    CROSS JOIN LATERAL (SELECT sum(b.n::integer) AS n FROM (
        SELECT n FROM board_pieces WHERE board_id = p_board AND level = 0 AND score = a.to_score AND tie >= a.to_tie
                                     AND tie < CASE WHEN a.up_score = a.to_score THEN a.up_tie ELSE v_end END
        UNION ALL SELECT n FROM board_pieces WHERE board_id = p_board AND level = 0 AND score > a.to_score AND score < a.up_score
        UNION ALL SELECT n FROM board_pieces WHERE board_id = p_board AND level = 0 AND score = a.up_score
                                               AND tie < a.up_tie AND a.up_score > a.to_score) b) g
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
        SELECT 1 FROM board_entries WHERE board_id = p_board AND score = a.score AND -player_id > a.tie
                                      AND -player_id < CASE WHEN a.to_score = a.score THEN a.to_tie ELSE v_end END
        UNION ALL SELECT 1 FROM board_entries WHERE board_id = p_board AND score > a.score AND score < a.to_score
        UNION ALL SELECT 1 FROM board_entries WHERE board_id = p_board AND score = a.to_score
                                                AND -player_id < a.to_tie AND a.to_score > a.score) o) e;
END $$;
