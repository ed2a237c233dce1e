-- Friends on a leaderboard a page at a time: the scores of all of them are looked up and put in order; places among all, names and games are found
-- for the page alone.

-- A score is read from the index of players alone; that it changes costs nothing more, for each change makes new entries in all indexes of the table.
ALTER TABLE board_entries DROP CONSTRAINT board_entries_pkey, ADD CONSTRAINT board_entries_pkey PRIMARY KEY (board_id, player_id) INCLUDE (score);

DROP FUNCTION q_board_friends(bigint, text, text, text);

-- The scores of these players, the best p_limit behind (p_score, p_after).
CREATE FUNCTION board_of_players(p_board integer, p_players bigint[], p_score bigint, p_after bigint, p_limit bigint,
                                 OUT players bigint[], OUT scores bigint[])
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND player_id = ANY (p_players)
            AND (score, -player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_after, 0))
          ORDER BY score DESC, (-player_id) DESC LIMIT p_limit) e;
END $$;

-- A page of the reader and his friends behind (p_score, p_after), with their places among all; the first row is the head. Places are found, not counted
-- on from p_place, the last of the page before. code: as q_board.
CREATE FUNCTION q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint,
                                p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind, 'period', coalesce((SELECT period FROM boards WHERE id = v_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    SELECT players, scores INTO v_players, v_scores
    FROM board_of_players(v_board, ARRAY(SELECT friends_of(p_reader)) || p_reader, p_score, p_after, p_limit);
    RETURN QUERY
    SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, v_board, v_players, v_scores, NULL) l;
END $$;

-- As in 0136. Larger pieces are added up as far down as the lowest entry asked for, and as integers (the sum of bigints is a numeric for each row).
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
        SELECT b.score, b.tie, sum(b.n::integer) OVER (ORDER BY b.score DESC, b.tie DESC ROWS UNBOUNDED PRECEDING) AS n
        FROM board_pieces b WHERE b.board_id = p_board AND b.level = 1 AND b.score >= (SELECT min(up_score) FROM asked)
    ), moved AS MATERIALIZED (
        SELECT x.player_id, sum(x.change) OVER (ORDER BY x.score DESC, x.tie DESC) AS n
        FROM (SELECT a.player_id, a.to_score AS score, a.to_tie AS tie, 0 AS change FROM asked a
              UNION ALL SELECT NULL, b.score, b.tie, b.change FROM board_moves b WHERE b.board_id = p_board) x
    )
    SELECT a.player_id, a.score, 1 + coalesce(v.n, 0) + coalesce(g.n, 0) + e.n + d.n
    FROM asked a
    JOIN moved d ON d.player_id = a.player_id
    LEFT JOIN above v ON v.score = a.up_score AND v.tie = a.up_tie
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
