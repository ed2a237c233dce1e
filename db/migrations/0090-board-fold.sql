-- The place of a player on a board of a million, from counts that are kept, not taken anew. A board is cut into pieces of some
-- thirty entries, those into pieces of thirty pieces, and so on (levels 0, 1, 2); each piece knows how many entries it has. A place is
-- the pieces above it on each level, the entries above it in its own, and what has moved since it was last added up (board_moves).
-- A piece that has grown is cut, a small one joined to its neighbour: the work grows with what moves, not with the board.

UPDATE settings SET value = '32', about = 'entries of a piece of a board, and pieces of a larger one' WHERE name = 'board_sample_every';
UPDATE settings SET value = '200', about = 'moves after which they are added to the pieces of a board' WHERE name = 'board_moves_max';
UPDATE settings SET name = 'board_piece' WHERE name = 'board_sample_every';

-- From the place (score, tie) up to the next piece of its level. Where a piece begins, pieces of all lower levels begin; one of each level
-- begins behind all places. n: its entries, but for what board_moves has.
CREATE TABLE board_pieces (
    board_id integer  NOT NULL REFERENCES boards (id),
    level    smallint NOT NULL CHECK (level BETWEEN 0 AND 2),
    score    bigint   NOT NULL,
    tie      bigint   NOT NULL,
    n        bigint   NOT NULL,
    PRIMARY KEY (board_id, level, score, tie)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
DROP TABLE board_samples;
ALTER TABLE board_moves SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- The pieces that are behind all places of a board that has none. One statement, so that entries and moves are seen at one moment.
CREATE FUNCTION board_begin(p_board integer) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO board_pieces (board_id, level, score, tie, n)
    SELECT p_board, level, -9223372036854775807, -9223372036854775807,
           (SELECT count(*) FROM board_entries WHERE board_id = p_board)
           - (SELECT coalesce(sum(change), 0) FROM board_moves WHERE board_id = p_board)
    FROM generate_series(0, 2) level
    ON CONFLICT DO NOTHING
$$;

-- Adds up what has moved. One statement, as above.
CREATE FUNCTION board_add_moves(p_board integer) RETURNS void
    LANGUAGE sql AS $$
    WITH moved AS (
        DELETE FROM board_moves WHERE board_id = p_board RETURNING score, tie, change
    ), summed AS (
        SELECT g.at, sum(m.change) AS change
        FROM moved m CROSS JOIN generate_series(0, 2) l (level)
        CROSS JOIN LATERAL (SELECT b.ctid AS at FROM board_pieces b
                            WHERE b.board_id = p_board AND b.level = l.level AND (b.score, b.tie) <= (m.score, m.tie)
                            ORDER BY b.score DESC, b.tie DESC LIMIT 1) g
        GROUP BY g.at
    )
    UPDATE board_pieces b SET n = b.n + s.change FROM summed s WHERE b.ctid = s.at AND s.change <> 0
$$;

-- Cuts a piece of level 0 that goes up to p_to. What has moved since is left to be; one statement, as above.
CREATE FUNCTION board_cut_entries(p_piece board_pieces, p_to_score bigint, p_to_tie bigint, p_size bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    WITH cut AS (
        SELECT min(e.score) AS score, (array_agg(e.tie ORDER BY e.score, e.tie))[1] AS tie, count(*) AS n, e.no
        FROM (SELECT o.score, o.tie, (row_number() OVER (ORDER BY o.score, o.tie) - 1) / p_size AS no
              FROM (SELECT b.score, -b.player_id AS tie FROM board_entries b
                    WHERE b.board_id = p_piece.board_id AND (b.score, -b.player_id) >= (p_piece.score, p_piece.tie)
                    ORDER BY b.score, (-b.player_id)
                    LIMIT p_piece.n + (SELECT count(*) FROM board_moves WHERE board_id = p_piece.board_id)) o
              WHERE (o.score, o.tie) < (p_to_score, p_to_tie)) e
        GROUP BY e.no
    ), bounded AS (
        SELECT *, lead(score, 1, p_to_score) OVER w AS to_score, lead(tie, 1, p_to_tie) OVER w AS to_tie
        FROM cut WINDOW w AS (ORDER BY no)
    ), made AS (
        INSERT INTO board_pieces (board_id, level, score, tie, n)
        SELECT p_piece.board_id, 0, c.score, c.tie, c.n - (
            SELECT coalesce(sum(m.change), 0) FROM board_moves m WHERE m.board_id = p_piece.board_id
            AND (m.score, m.tie) >= (c.score, c.tie) AND (m.score, m.tie) < (c.to_score, c.to_tie))
        FROM bounded c WHERE c.no > 0
        RETURNING n
    )
    UPDATE board_pieces b SET n = b.n - (SELECT coalesce(sum(n), 0) FROM made)
    WHERE (b.board_id, b.level, b.score, b.tie) = (p_piece.board_id, 0, p_piece.score, p_piece.tie);
END $$;

-- Cuts a larger piece where smaller ones begin. These change only under the board's lock.
CREATE FUNCTION board_cut_pieces(p_piece board_pieces, p_to_score bigint, p_to_tie bigint, p_size bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    WITH parts AS (
        SELECT score, tie, n, (sum(n) OVER (ORDER BY score, tie) - n) / p_size AS no
        FROM board_pieces
        WHERE board_id = p_piece.board_id AND level = p_piece.level - 1 AND (score, tie) >= (p_piece.score, p_piece.tie)
          AND (score, tie) < (p_to_score, p_to_tie)
    ), made AS (
        INSERT INTO board_pieces (board_id, level, score, tie, n)
        SELECT p_piece.board_id, p_piece.level, (array_agg(score ORDER BY score, tie))[1], (array_agg(tie ORDER BY score, tie))[1], sum(n)
        FROM parts WHERE no::bigint > 0 GROUP BY no::bigint
        RETURNING n
    )
    UPDATE board_pieces b SET n = b.n - (SELECT coalesce(sum(n), 0) FROM made)
    WHERE (b.board_id, b.level, b.score, b.tie) = (p_piece.board_id, p_piece.level, p_piece.score, p_piece.tie);
END $$;

-- Joins pieces that are small together to the one below, every second at a time; not where a larger piece begins.
CREATE FUNCTION board_join_pieces(p_board integer, p_level integer, p_size bigint) RETURNS void
    LANGUAGE sql AS $$
    WITH placed AS (
        SELECT ctid AS at, score, tie, n, row_number() OVER w AS no, lag(ctid) OVER w AS below_at, lag(n) OVER w AS below_n
        FROM board_pieces WHERE board_id = p_board AND level = p_level WINDOW w AS (ORDER BY score, tie)
    ), small AS (
        SELECT * FROM placed p
        WHERE no % 2 = 0 AND n + below_n < p_size
          AND NOT EXISTS (SELECT 1 FROM board_pieces b WHERE (b.board_id, b.level, b.score, b.tie) = (p_board, p_level + 1, p.score, p.tie))
    ), gone AS (
        DELETE FROM board_pieces b USING small s WHERE b.ctid = s.at
    )
    UPDATE board_pieces b SET n = b.n + s.n FROM small s WHERE b.ctid = s.below_at
$$;

-- After this no piece has more than twice its size, and hardly two neighbours less than one's together.
CREATE FUNCTION board_even_out(p_board integer) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_piece bigint := setting_int('board_piece');
    v_size  bigint := 1;
    p       record;
BEGIN
    FOR v_level IN 0 .. 2 LOOP
        v_size := v_size * v_piece;
        PERFORM board_join_pieces(p_board, v_level, v_size);
        FOR p IN
            SELECT piece, coalesce(to_score, 9223372036854775807) AS to_score, coalesce(to_tie, 9223372036854775807) AS to_tie
            FROM (SELECT b AS piece, n, lead(score) OVER w AS to_score, lead(tie) OVER w AS to_tie
                  FROM board_pieces b WHERE board_id = p_board AND level = v_level WINDOW w AS (ORDER BY score, tie)) x
            WHERE n > 2 * v_size LOOP
            IF v_level = 0 THEN
                PERFORM board_cut_entries(p.piece, p.to_score, p.to_tie, v_size);
            ELSE
                PERFORM board_cut_pieces(p.piece, p.to_score, p.to_tie, v_size);
            END IF;
        END LOOP;
    END LOOP;
END $$;

CREATE FUNCTION board_fold(p_board integer) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || p_board, 0));
    IF NOT EXISTS (SELECT 1 FROM board_pieces WHERE board_id = p_board) THEN
        PERFORM board_begin(p_board);
    END IF;
    PERFORM board_add_moves(p_board);
    PERFORM board_even_out(p_board);
END $$;
DROP FUNCTION board_sample(integer);

-- Boards on which something has moved, p_max of them. Returns how many there were.
CREATE OR REPLACE FUNCTION do_sample_boards(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_max    bigint := setting_int('board_moves_max');
    v_boards integer[] := ARRAY(SELECT board_id FROM board_moves GROUP BY board_id HAVING count(*) > v_max ORDER BY board_id LIMIT p_max);
    v_board  integer;
BEGIN
    FOREACH v_board IN ARRAY v_boards LOOP
        PERFORM board_fold(v_board);
    END LOOP;
    RETURN cardinality(v_boards);
END $$;

-- How many entries stand before the place (p_score, p_player), plus one. A range between two places is asked for in three parts, for an index
-- finds the beginning of a range of pairs at once, but reads on behind its end while the first of the pair is the same. The plans
-- are made once: all of them are short ranges of indexes, which the planner cannot know.
CREATE OR REPLACE FUNCTION board_place(p_board integer, p_score bigint, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
    v_tie      bigint := -p_player;
    v_before   bigint := 1;
    v_to_score bigint := 9223372036854775807; -- the pieces from here on are counted
    v_to_tie   bigint := 9223372036854775807;
    v_next     record;
BEGIN
    FOR v_level IN REVERSE 2 .. 0 LOOP
        SELECT score, tie INTO v_next FROM board_pieces
        WHERE board_id = p_board AND level = v_level AND (score, tie) > (p_score, v_tie) ORDER BY score, tie LIMIT 1;
        CONTINUE WHEN NOT FOUND OR (v_next.score, v_next.tie) >= (v_to_score, v_to_tie);
        v_before := v_before + (SELECT sum(n) FROM (
            SELECT n FROM board_pieces WHERE board_id = p_board AND level = v_level AND score = p_score AND tie > v_tie
                                         AND tie < CASE WHEN v_to_score = p_score THEN v_to_tie ELSE 9223372036854775807 END
            UNION ALL SELECT n FROM board_pieces WHERE board_id = p_board AND level = v_level AND score > p_score AND score < v_to_score
            UNION ALL SELECT n FROM board_pieces WHERE board_id = p_board AND level = v_level AND score = v_to_score
                                                   AND tie < v_to_tie AND v_to_score > p_score) b);
        v_to_score := v_next.score;
        v_to_tie := v_next.tie;
    END LOOP;
    RETURN (SELECT v_before + count(*) FROM (
            SELECT 1 FROM board_entries WHERE board_id = p_board AND score = p_score AND -player_id > v_tie
                                          AND -player_id < CASE WHEN v_to_score = p_score THEN v_to_tie ELSE 9223372036854775807 END
            UNION ALL SELECT 1 FROM board_entries WHERE board_id = p_board AND score > p_score AND score < v_to_score
            UNION ALL SELECT 1 FROM board_entries WHERE board_id = p_board AND score = v_to_score
                                                    AND -player_id < v_to_tie AND v_to_score > p_score) e)
         + (SELECT coalesce(sum(change), 0) FROM board_moves WHERE board_id = p_board AND (score, tie) >= (v_to_score, v_to_tie));
END $$;

-- What is asked often keeps its plan: PL/pgSQL, as the other small look-ups.
CREATE OR REPLACE FUNCTION board_named(p_variant text, p_kind text, p_period text, p_at timestamptz) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM boards WHERE variant = p_variant AND kind = p_kind
            AND period = CASE p_period WHEN 'month' THEN to_char(local_day(p_at), 'YYYY-MM') ELSE p_period END);
END $$;
CREATE OR REPLACE FUNCTION board_refusal(p_variant text, p_kind text, p_period text) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN p_kind NOT IN ('rating', 'clover', 'wins', 'rummies')
                             OR p_variant NOT IN (SELECT variant FROM ranked_variants) THEN 'no_such_board'
                        WHEN p_period NOT IN ('all', 'month') AND p_period !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$' THEN 'no_such_period' END);
END $$;
CREATE OR REPLACE FUNCTION board_behind(p_board integer, p_score bigint, p_player bigint, p_limit bigint, OUT players bigint[], OUT scores bigint[])
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}') INTO players, scores
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND (score, -player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_player, 0))
          ORDER BY score DESC, (-player_id) DESC LIMIT p_limit) e;
END $$;

SELECT board_fold(id) FROM boards;
