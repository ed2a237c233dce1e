-- The places of many entries of a board in one statement: the larger pieces and what has moved are added up once for all of them, not for each.

-- Places of the entries (p_scores[i], p_players[i]); as board_place gives them, in its snapshot. What is asked for anew for each entry is what lies
-- between it and where the next larger piece begins.
CREATE FUNCTION board_places(p_board integer, p_players bigint[], p_scores bigint[]) RETURNS TABLE (player_id bigint, score bigint, place bigint)
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
        SELECT b.score, b.tie, sum(b.n) OVER (ORDER BY b.score DESC, b.tie DESC) AS n
        FROM board_pieces b WHERE b.board_id = p_board AND b.level = 1
    ), moved AS MATERIALIZED (
        SELECT x.player_id, sum(x.change) OVER (ORDER BY x.score DESC, x.tie DESC) AS n
        FROM (SELECT a.player_id, a.to_score AS score, a.to_tie AS tie, 0 AS change FROM asked a
              UNION ALL SELECT NULL, b.score, b.tie, b.change FROM board_moves b WHERE b.board_id = p_board) x
    )
    SELECT a.player_id, a.score, 1 + coalesce(v.n, 0)::bigint + coalesce(g.n, 0)::bigint + e.n + d.n
    FROM asked a
    JOIN moved d ON d.player_id = a.player_id
    LEFT JOIN above v ON v.score = a.up_score AND v.tie = a.up_tie
    CROSS JOIN LATERAL (SELECT sum(b.n) AS n FROM (
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

-- As in 0094, with the places of all lines found together.
CREATE OR REPLACE FUNCTION board_lines(p_reader bigint, p_board integer, p_players bigint[], p_scores bigint[], p_places bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint, body jsonb)
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    IF p_places IS NULL THEN
        SELECT array_agg(f.player_id), array_agg(f.score), array_agg(f.place) INTO p_players, p_scores, p_places
        FROM board_places(p_board, p_players, p_scores) f;
    END IF;
    RETURN QUERY
    SELECT e.player_id, e.score, e.place, jsonb_build_object(
        'place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
        'value', board_value(v_board.kind, e.score), 'games', r.games, 'own', e.player_id = p_reader)
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, place)
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period
    ORDER BY e.score DESC, e.player_id;
END $$;

-- An entry is counted from the index alone: its row is somewhere else for each of the thirty around a place.
DROP INDEX board_entries_order;
CREATE INDEX board_entries_order ON board_entries (board_id, score, (-player_id)) INCLUDE (player_id);
