CREATE OR REPLACE FUNCTION board_add_moves(p_board integer, OUT scores bigint[], OUT ties bigint[])
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
    SET enable_hashjoin = off AS $$
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
        SELECT b.ctid AS at, board_part(b.scores, b.ties, m.score, m.tie) AS part,
               sum(m.change)::integer AS change
        FROM pieced m JOIN board_pieces b ON b.board_id = p_board AND b.score = v_scores[m.i]
            AND b.tie = v_ties[m.i]
        GROUP BY 1, 2
    ), summed AS (
        SELECT at, array_agg(part) AS parts, array_agg(change) AS changes FROM parted WHERE change <> 0
        GROUP BY at
    ), added AS (
        UPDATE board_pieces b SET reach = board_reach(b.reach, s.parts, s.changes) FROM summed s
        WHERE b.ctid = s.at
        RETURNING b.score, b.tie, b.reach[1] NOT BETWEEN v_part * v_part AND 8 * v_part * v_part
            OR EXISTS (SELECT FROM unnest(s.parts) i
                       WHERE b.reach[i] - coalesce(b.reach[i + 1], 0) > 2 * v_part) AS uneven
    )
    SELECT coalesce(array_agg(a.score ORDER BY a.score, a.tie), '{}'),
           coalesce(array_agg(a.tie ORDER BY a.score, a.tie), '{}') INTO scores, ties
    FROM added a WHERE a.uneven;
END $$;

COMMENT ON FUNCTION board_add_moves IS
'Adds the pending moves to the pieces of a board, and returns the starts of pieces that have become
unbalanced. Uses one statement, so that pieces and moves come from one snapshot. The caller holds the
board''s lock.
Called by board_fold.';
