-- A place on a board with few reads. A look-up of the piece an entry stands in read the half of a page of an index each time, for such a range is open
-- at its far end; and the pieces above it were added up for each look. Now a board is cut into parts of some sixteen entries (board_part), parts are kept
-- in arrays, some sixty in a row, and where these rows begin is an array again, one for a board. What is above is kept added up, on both levels.

DROP FUNCTION board_begin(integer), board_add_moves(integer), board_cut_entries(board_pieces, bigint, bigint, bigint),
    board_cut_pieces(board_pieces, bigint, bigint, bigint), board_join_pieces(integer, integer, bigint), board_even_out(integer);
DROP TABLE board_pieces;
UPDATE settings SET name = 'board_part', value = CASE value WHEN '32' THEN '16' ELSE value END, about = 'entries of a part of a board; four times as many parts are a piece' WHERE name = 'board_piece';

-- From the place (score, tie) up to the next piece. Its parts: where each begins, ascending, the first where the piece does; and how many entries there are
-- from there to the end of the piece, but for what board_moves has.
CREATE TABLE board_pieces (
    board_id integer   NOT NULL REFERENCES boards (id),
    score    bigint    NOT NULL,
    tie      bigint    NOT NULL,
    scores   bigint[]  NOT NULL,
    ties     bigint[]  NOT NULL,
    reach    integer[] NOT NULL,
    PRIMARY KEY (board_id, score, tie)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE board_pieces ALTER scores SET STORAGE PLAIN, ALTER ties SET STORAGE PLAIN, ALTER reach SET STORAGE PLAIN;

-- Where the pieces of a board begin, ascending, and how many entries there are above each. The first begins behind all places.
CREATE TABLE board_tops (
    board_id integer  PRIMARY KEY REFERENCES boards (id) ON DELETE CASCADE,
    scores   bigint[] NOT NULL,
    ties     bigint[] NOT NULL,
    above    bigint[] NOT NULL
) WITH (autovacuum_vacuum_threshold = 500);
ALTER TABLE board_tops ALTER scores SET STORAGE EXTERNAL, ALTER ties SET STORAGE EXTERNAL, ALTER above SET STORAGE EXTERNAL;

-- Which of the places that ascend is the last one not above (p_score, p_tie); 0 where all are.
CREATE FUNCTION board_part(p_scores bigint[], p_ties bigint[], p_score bigint, p_tie bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT width_bucket(p_score - 1, p_scores)
           + width_bucket(p_tie, p_ties[width_bucket(p_score - 1, p_scores) + 1 : width_bucket(p_score, p_scores)])
$$;

-- What is reached from each part after the parts named have changed.
CREATE FUNCTION board_reach(p_reach integer[], p_parts integer[], p_changes integer[]) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    FOR j IN 1 .. cardinality(p_parts) LOOP
        FOR i IN 1 .. p_parts[j] LOOP
            p_reach[i] := p_reach[i] + p_changes[j];
        END LOOP;
    END LOOP;
    RETURN p_reach;
END $$;

-- Adds up what has moved; returns where the pieces begin that have become uneven by it. One statement, so that pieces and moves are of one moment.
CREATE FUNCTION board_add_moves(p_board integer, OUT scores bigint[], OUT ties bigint[])
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off AS $$
#variable_conflict use_column
DECLARE
    v_part   integer := setting_int('board_part');
    v_scores bigint[];
    v_ties   bigint[];
BEGIN
    SELECT t.scores, t.ties INTO v_scores, v_ties FROM board_tops t WHERE t.board_id = p_board;
    WITH moved AS (
        DELETE FROM board_moves WHERE board_id = p_board RETURNING score, tie, change
    ), pieced AS (
        SELECT *, board_part(v_scores, v_ties, score, tie) AS i FROM moved
    ), parted AS (
        SELECT b.ctid AS at, board_part(b.scores, b.ties, m.score, m.tie) AS part, sum(m.change)::integer AS change
        FROM pieced m JOIN board_pieces b ON b.board_id = p_board AND b.score = v_scores[m.i] AND b.tie = v_ties[m.i]
        GROUP BY 1, 2
    ), summed AS (
        SELECT at, array_agg(part) AS parts, array_agg(change) AS changes FROM parted WHERE change <> 0 GROUP BY at
    ), added AS (
        UPDATE board_pieces b SET reach = board_reach(b.reach, s.parts, s.changes) FROM summed s WHERE b.ctid = s.at
        RETURNING b.score, b.tie, b.reach[1] NOT BETWEEN v_part * v_part AND 8 * v_part * v_part
            OR EXISTS (SELECT FROM unnest(s.parts) i WHERE b.reach[i] - coalesce(b.reach[i + 1], 0) > 2 * v_part) AS uneven
    )
    SELECT coalesce(array_agg(a.score ORDER BY a.score, a.tie), '{}'), coalesce(array_agg(a.tie ORDER BY a.score, a.tie), '{}') INTO scores, ties
    FROM added a WHERE a.uneven;
END $$;

-- Cuts what lies from one place up to another into even pieces and parts. What has moved since is left to be: one statement again.
CREATE FUNCTION board_cut(p_board integer, p_score bigint, p_tie bigint, p_to_score bigint, p_to_tie bigint) RETURNS void
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    v_part integer := setting_int('board_part');
BEGIN
    DELETE FROM board_pieces b WHERE b.board_id = p_board AND (b.score, b.tie) >= (p_score, p_tie) AND (b.score, b.tie) < (p_to_score, p_to_tie);
    WITH placed AS MATERIALIZED (
        SELECT e.score, e.tie, row_number() OVER (ORDER BY e.score, e.tie) - 1 AS no FROM (
            SELECT score, -player_id AS tie FROM board_entries
            WHERE board_id = p_board AND score = p_score AND -player_id >= p_tie AND (p_score < p_to_score OR -player_id < p_to_tie)
            UNION ALL SELECT score, -player_id FROM board_entries WHERE board_id = p_board AND score > p_score AND score < p_to_score
            UNION ALL SELECT score, -player_id FROM board_entries
            WHERE board_id = p_board AND score = p_to_score AND -player_id < p_to_tie AND p_score < p_to_score) e
    ), sized AS (
        SELECT count(*) AS n, greatest(ceil(count(*) / greatest(round(count(*) / (4.0 * v_part * v_part)), 1)), 1)::bigint AS piece FROM placed
    ), begun AS (
        SELECT p_score AS score, p_tie AS tie, 0 AS no
        UNION ALL SELECT p.score, p.tie, p.no FROM placed p, sized s WHERE p.no > 0 AND p.no % s.piece % v_part = 0
    ), bounded AS (
        SELECT b.*, b.no / s.piece AS piece, lead(b.no, 1, s.n) OVER w - b.no AS n,
               lead(b.score, 1, p_to_score) OVER w AS to_score, lead(b.tie, 1, p_to_tie) OVER w AS to_tie
        FROM begun b, sized s WINDOW w AS (ORDER BY b.no)
    ), reaching AS (
        SELECT b.*, sum(b.n - (SELECT coalesce(sum(m.change), 0) FROM board_moves m
                               WHERE m.board_id = p_board AND (m.score, m.tie) >= (b.score, b.tie) AND (m.score, m.tie) < (b.to_score, b.to_tie)))
                    OVER (PARTITION BY b.piece ORDER BY b.no DESC) AS reach
        FROM bounded b
    )
    INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
    SELECT p_board, (array_agg(score ORDER BY no))[1], (array_agg(tie ORDER BY no))[1],
           array_agg(score ORDER BY no), array_agg(tie ORDER BY no), array_agg(reach::integer ORDER BY no)
    FROM reaching GROUP BY piece;
END $$;

-- Cuts a piece anew, together with those above it while all of them are few; the last one together with the one below.
CREATE FUNCTION board_even_out(p_board integer, p_score bigint, p_tie bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_end  bigint := 9223372036854775807;
    v_few  bigint := setting_int('board_part') ^ 2;
    v_n    bigint;
    v_next board_pieces;
BEGIN
    SELECT reach[1] INTO v_n FROM board_pieces WHERE board_id = p_board AND score = p_score AND tie = p_tie;
    IF NOT FOUND THEN
        RETURN; -- with another one already
    END IF;
    FOR v_next IN SELECT * FROM board_pieces WHERE board_id = p_board AND (score, tie) > (p_score, p_tie) ORDER BY score, tie LOOP
        EXIT WHEN v_n >= v_few;
        v_n := v_n + v_next.reach[1];
        v_next := NULL;
    END LOOP;
    IF v_next.score IS NULL AND v_n < v_few THEN
        SELECT score, tie INTO p_score, p_tie FROM (
            SELECT score, tie FROM board_pieces WHERE board_id = p_board AND (score, tie) <= (p_score, p_tie) ORDER BY score DESC, tie DESC LIMIT 2) b
        ORDER BY score, tie LIMIT 1;
    END IF;
    PERFORM board_cut(p_board, p_score, p_tie, coalesce(v_next.score, v_end), coalesce(v_next.tie, v_end));
END $$;

-- Writes down where the pieces begin and what is above them. These change only under the board's lock.
CREATE FUNCTION board_top(p_board integer) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO board_tops (board_id, scores, ties, above)
    SELECT p_board, array_agg(score ORDER BY score, tie), array_agg(tie ORDER BY score, tie), array_agg(above ORDER BY score, tie)
    FROM (SELECT score, tie, sum(reach[1]) OVER (ORDER BY score DESC, tie DESC ROWS UNBOUNDED PRECEDING) - reach[1] AS above
          FROM board_pieces WHERE board_id = p_board) b
    ON CONFLICT (board_id) DO UPDATE SET scores = excluded.scores, ties = excluded.ties, above = excluded.above
$$;

CREATE OR REPLACE FUNCTION board_fold(p_board integer) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_begin  bigint := -9223372036854775807; -- behind all places
    v_new    boolean;
    v_scores bigint[];
    v_ties   bigint[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || p_board, 0));
    v_new := NOT EXISTS (SELECT FROM board_tops WHERE board_id = p_board);
    IF v_new THEN -- one statement, so that entries and moves are of one moment
        INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
        SELECT p_board, v_begin, v_begin, ARRAY[v_begin], ARRAY[v_begin], ARRAY[
            (SELECT count(*) FROM board_entries WHERE board_id = p_board)
            - (SELECT coalesce(sum(change), 0) FROM board_moves WHERE board_id = p_board)];
        PERFORM board_top(p_board);
    END IF;
    SELECT scores, ties INTO v_scores, v_ties FROM board_add_moves(p_board);
    IF v_new THEN
        v_scores := ARRAY[v_begin];
        v_ties := ARRAY[v_begin];
    END IF;
    FOR i IN 1 .. cardinality(v_scores) LOOP
        PERFORM board_even_out(p_board, v_scores[i], v_ties[i]);
    END LOOP;
    PERFORM board_top(p_board);
END $$;

-- Places of many entries, in the snapshot of the caller. What has moved is added up between one entry asked for and the next. A range of pairs is asked for in two
-- parts, up to the last score, whose end an index knows, and those of that score; one that has nothing is not begun.
CREATE OR REPLACE FUNCTION board_places(p_board integer, p_players bigint[], p_scores bigint[]) RETURNS TABLE (player_id bigint, score bigint, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100 SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off
    SET enable_mergejoin = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
    v_end    bigint := 9223372036854775807; -- behind all places
    v_scores bigint[];
    v_ties   bigint[];
    v_above  bigint[];
BEGIN
    SELECT t.scores, t.ties, t.above INTO v_scores, v_ties, v_above FROM board_tops t WHERE t.board_id = p_board;
    RETURN QUERY
    WITH pieced AS (
        SELECT u.player_id, u.score, board_part(v_scores, v_ties, u.score, -u.player_id) AS i FROM unnest(p_players, p_scores) u (player_id, score) OFFSET 0
    ), parted AS (
        SELECT a.player_id, a.score, -a.player_id AS tie, coalesce(v_above[a.i], 0) + coalesce(b.reach, 0) AS above,
               coalesce(b.score, v_scores[a.i + 1], v_end) AS to_score, coalesce(b.tie, v_ties[a.i + 1], v_end) AS to_tie
        FROM pieced a LEFT JOIN LATERAL (
            SELECT c.scores[c.j + 1] AS score, c.ties[c.j + 1] AS tie, c.reach[c.j + 1] AS reach
            FROM (SELECT p.scores, p.ties, p.reach, board_part(p.scores, p.ties, a.score, -a.player_id) AS j FROM board_pieces p
                  WHERE p.board_id = p_board AND p.score = v_scores[a.i] AND p.tie = v_ties[a.i] OFFSET 0) c OFFSET 0) b ON true
    ), apart AS (
        SELECT c.*, lag(c.to_score, 1, v_end) OVER w AS before_score, lag(c.to_tie, 1, v_end) OVER w AS before_tie
        FROM parted c WINDOW w AS (ORDER BY c.to_score DESC, c.to_tie DESC)
    )
    SELECT o.player_id, o.score, 1 + o.above + e.n + f.n + sum(m.n) OVER (ORDER BY o.to_score DESC, o.to_tie DESC)
    FROM apart o
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.change), 0)::integer AS n FROM board_moves b
                        WHERE b.board_id = p_board AND (b.score, b.tie) >= (o.to_score, o.to_tie)
                          AND (b.score, b.tie) < (o.before_score, o.before_tie)) m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND (b.score, -b.player_id) > (o.score, o.tie) AND b.score < o.to_score AND o.score < o.to_score) e
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM board_entries b
                        WHERE b.board_id = p_board AND b.score = o.to_score AND -b.player_id < o.to_tie
                          AND -b.player_id > CASE WHEN o.to_score = o.score THEN o.tie ELSE -v_end END) f;
END $$;

CREATE OR REPLACE FUNCTION board_place(p_board integer, p_score bigint, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT place FROM board_places(p_board, ARRAY[p_player], ARRAY[p_score]));
END $$;
ALTER FUNCTION board_place(integer, bigint, bigint) RESET ALL;

SELECT board_fold(id) FROM boards;
