-- A page of a friends' leaderboard in less time: fewer and shorter reads for each friend, each measured with a million players and 500 friends.

-- Who is a friend is read from the indexes alone: the rows of five hundred friendships are in as many places.
ALTER TABLE friends DROP CONSTRAINT friends_pkey, ADD CONSTRAINT friends_pkey PRIMARY KEY (from_id, to_id) INCLUDE (accepted_at);
DROP INDEX friends_to;
CREATE INDEX friends_to ON friends (to_id) INCLUDE (from_id, accepted_at);

DROP FUNCTION board_of_players(integer, bigint[], bigint, bigint, bigint);

-- The scores of the reader and his friends, the best p_limit behind (p_score, p_after). Plain comparisons: to compare and order hundreds of pairs
-- cost a third of looking them up.
CREATE FUNCTION board_of_friends(p_board integer, p_reader bigint, p_score bigint, p_after bigint, p_limit bigint,
                                 OUT players bigint[], OUT scores bigint[])
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
BEGIN
    p_score := coalesce(p_score, 9223372036854775807);
    p_after := coalesce(p_after, 0);
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND player_id = ANY (ARRAY(SELECT f FROM friends_of(p_reader) f) || p_reader)
            AND score <= p_score AND (score < p_score OR player_id > p_after)
          ORDER BY score DESC, player_id LIMIT p_limit) e;
END $$;

-- As in 0165 but for the scores.
CREATE OR REPLACE FUNCTION q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint,
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
    SELECT players, scores INTO v_players, v_scores FROM board_of_friends(v_board, p_reader, p_score, p_after, p_limit);
    RETURN QUERY
    SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, v_board, v_players, v_scores, NULL) l;
END $$;

-- As in 0169, in one pass and in fewer ranges. The smaller pieces above an entry, up to where the next larger one begins, give both their sum and where
-- the first of them begins. A range of pairs is asked for in two parts: up to the last score, whose end the index knows, and those of that score.
CREATE OR REPLACE FUNCTION board_places(p_board integer, p_players bigint[], p_scores bigint[]) RETURNS TABLE (player_id bigint, score bigint, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off
    SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_end bigint := 9223372036854775807; -- behind all places
BEGIN
    RETURN QUERY
    WITH asked AS (
        SELECT u.player_id, u.score, -u.player_id AS tie, coalesce(m.score, v_end) AS up_score, coalesce(m.tie, v_end) AS up_tie
        FROM unnest(p_players, p_scores) u (player_id, score)
        LEFT JOIN LATERAL (SELECT b.score, b.tie FROM board_pieces b
                           WHERE b.board_id = p_board AND b.level = 1 AND (b.score, b.tie) > (u.score, -u.player_id)
                           ORDER BY b.score, b.tie LIMIT 1) m ON true
    ), pieced AS (
        SELECT a.*, coalesce(g.n, 0) + coalesce(h.n, 0) AS n, coalesce(g.score, a.up_score) AS to_score,
               CASE WHEN g.score IS NOT NULL THEN g.tie ELSE coalesce(h.tie, a.up_tie) END AS to_tie
        FROM asked a
        CROSS JOIN LATERAL (SELECT sum(b.n::integer) AS n, (array_agg(b.score))[1] AS score, (array_agg(b.tie))[1] AS tie
                            FROM (SELECT o.n, o.score, o.tie FROM board_pieces o
                                  WHERE o.board_id = p_board AND o.level = 0 AND (o.score, o.tie) > (a.score, a.tie) AND o.score < a.up_score
                                  ORDER BY o.score, o.tie) b) g
        CROSS JOIN LATERAL (SELECT sum(b.n::integer) AS n, min(b.tie) AS tie FROM board_pieces b
                            WHERE b.board_id = p_board AND b.level = 0 AND b.score = a.up_score AND b.tie < a.up_tie
                              AND b.tie > CASE WHEN a.up_score = a.score THEN a.tie ELSE -v_end END) h
    ), apart AS (
        SELECT c.*, lag(c.to_score, 1, v_end) OVER w AS before_score, lag(c.to_tie, 1, v_end) OVER w AS before_tie,
               lag(c.up_score, 1, v_end) OVER w AS before_up_score, lag(c.up_tie, 1, v_end) OVER w AS before_up_tie
        FROM pieced c WINDOW w AS (ORDER BY c.to_score DESC, c.to_tie DESC)
    )
    SELECT o.player_id, o.score, 1 + o.n + e.n + sum(m.n + p.n) OVER (ORDER BY o.to_score DESC, o.to_tie DESC)
    FROM apart o
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.change), 0)::integer AS n FROM board_moves b
                        WHERE b.board_id = p_board AND (b.score, b.tie) >= (o.to_score, o.to_tie)
                          AND (b.score, b.tie) < (o.before_score, o.before_tie)) m
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.n::integer), 0)::integer AS n FROM board_pieces b
                        WHERE b.board_id = p_board AND b.level = 1 AND (b.score, b.tie) >= (o.up_score, o.up_tie)
                          AND (b.score, b.tie) < (o.before_up_score, o.before_up_tie)) p
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM (
        SELECT 1 FROM board_entries b WHERE b.board_id = p_board AND (b.score, -b.player_id) > (o.score, o.tie) AND b.score < o.to_score
        UNION ALL
        SELECT 1 FROM board_entries b WHERE b.board_id = p_board AND b.score = o.to_score AND -b.player_id < o.to_tie
                                        AND -b.player_id > CASE WHEN o.to_score = o.score THEN o.tie ELSE -v_end END) x) e;
END $$;

-- The games a score bears in its low bits; NULL where it bears none. The other side of board_score.
CREATE FUNCTION board_games(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_kind WHEN 'rating' THEN p_score & 1073741823 END
$$;

-- As in 0136; games are looked up only where the score does not bear them.
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
        'value', board_value(v_board.kind, e.score), 'own', e.player_id = p_reader,
        'games', coalesce(board_games(v_board.kind, e.score), (
            SELECT r.games FROM ratings r
            WHERE r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period)))
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, place)
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    ORDER BY e.score DESC, e.player_id;
END $$;
