CREATE OR REPLACE FUNCTION board_places(p_board integer, p_players bigint[], p_scores bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100
    SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off
    SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_end    bigint := 9223372036854775807; -- after all places
    v_scores bigint[];
    v_ties   bigint[];
    v_above  bigint[];
BEGIN
    SELECT t.scores, t.ties, t.above INTO v_scores, v_ties, v_above FROM board_tops t
    WHERE t.board_id = p_board;
    RETURN QUERY
    WITH pieced AS (
        SELECT u.player_id, u.score, board_part(v_scores, v_ties, u.score, -u.player_id) AS i
        FROM unnest(p_players, p_scores) u (player_id, score) OFFSET 0
    ), parted AS (
        SELECT a.player_id, a.score, -a.player_id AS tie,
               coalesce(v_above[a.i], 0) + coalesce(b.reach, 0) AS above,
               coalesce(b.score, v_scores[a.i + 1], v_end) AS to_score,
               coalesce(b.tie, v_ties[a.i + 1], v_end) AS to_tie
        FROM pieced a LEFT JOIN LATERAL (
            SELECT c.scores[c.j + 1] AS score, c.ties[c.j + 1] AS tie, c.reach[c.j + 1] AS reach
            FROM (SELECT p.scores, p.ties, p.reach, board_part(p.scores, p.ties, a.score, -a.player_id) AS j
                  FROM board_pieces p
                  WHERE p.board_id = p_board AND p.score = v_scores[a.i] AND p.tie = v_ties[a.i] OFFSET 0) c
                  OFFSET 0) b ON true
    ), apart AS (
        SELECT c.*, lag(c.to_score, 1, v_end) OVER w AS before_score,
               lag(c.to_tie, 1, v_end) OVER w AS before_tie
        FROM parted c WINDOW w AS (ORDER BY c.to_score DESC, c.to_tie DESC)
    )
    SELECT o.player_id, o.score, 1 + o.above + e.n + f.n
        + sum(m.n) OVER (ORDER BY o.to_score DESC, o.to_tie DESC)
    FROM apart o
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.change), 0)::integer AS n FROM board_moves b
                        WHERE b.board_id = p_board AND (b.score, b.tie) >= (o.to_score, o.to_tie)
                          AND (b.score, b.tie) < (o.before_score, o.before_tie)) m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND (b.score, -b.player_id) > (o.score, o.tie)
                          AND b.score < o.to_score AND o.score < o.to_score) e
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND b.score = o.to_score AND -b.player_id < o.to_tie
                          AND -b.player_id > CASE WHEN o.to_score = o.score THEN o.tie ELSE -v_end END) f;
END $$;

COMMENT ON FUNCTION board_places IS
'The places of many entries of a board, in the caller''s snapshot. A place is one more than the sum of the
entries above its piece, above its part in the piece, and above it in the part, and of the moves since these
were counted. Entries within a part are counted from one requested entry to the next. A range of pairs is
queried in two steps: up to the last score, whose end an index finds, and the entries with that score; an
empty step is skipped.
Called by board_lines, board_place.';
