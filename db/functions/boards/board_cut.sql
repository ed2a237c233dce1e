CREATE OR REPLACE FUNCTION board_cut(p_board integer, p_score bigint, p_tie bigint, p_to_score bigint,
                                     p_to_tie bigint)
    RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    v_part integer := setting_int('board_part');
BEGIN
    DELETE FROM board_pieces b WHERE b.board_id = p_board AND (b.score, b.tie) >= (p_score, p_tie)
        AND (b.score, b.tie) < (p_to_score, p_to_tie);
    WITH placed AS MATERIALIZED (
        SELECT e.score, e.tie, row_number() OVER (ORDER BY e.score, e.tie) - 1 AS no FROM (
            SELECT score, -player_id AS tie FROM board_entries
            WHERE board_id = p_board AND score = p_score AND -player_id >= p_tie
              AND (p_score < p_to_score OR -player_id < p_to_tie)
            UNION ALL SELECT score, -player_id FROM board_entries
            WHERE board_id = p_board AND score > p_score AND score < p_to_score
            UNION ALL SELECT score, -player_id FROM board_entries
            WHERE board_id = p_board AND score = p_to_score AND -player_id < p_to_tie
              AND p_score < p_to_score) e
    ), sized AS (
        SELECT count(*) AS n,
               greatest(ceil(count(*) / greatest(round(count(*) / (4.0 * v_part * v_part)), 1)), 1)::bigint
               AS piece
        FROM placed
    ), begun AS (
        SELECT p_score AS score, p_tie AS tie, 0 AS no
        UNION ALL SELECT p.score, p.tie, p.no FROM placed p, sized s
        WHERE p.no > 0 AND p.no % s.piece % v_part = 0
    ), bounded AS (
        SELECT b.*, b.no / s.piece AS piece, lead(b.no, 1, s.n) OVER w - b.no AS n,
               lead(b.score, 1, p_to_score) OVER w AS to_score, lead(b.tie, 1, p_to_tie) OVER w AS to_tie
        FROM begun b, sized s WINDOW w AS (ORDER BY b.no)
    ), reaching AS (
        SELECT b.*, sum(b.n - (SELECT coalesce(sum(m.change), 0) FROM board_moves m
                               WHERE m.board_id = p_board AND (m.score, m.tie) >= (b.score, b.tie)
                                 AND (m.score, m.tie) < (b.to_score, b.to_tie)))
                    OVER (PARTITION BY b.piece ORDER BY b.no DESC) AS reach
        FROM bounded b
    )
    INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
    SELECT p_board, (array_agg(score ORDER BY no))[1], (array_agg(tie ORDER BY no))[1],
           array_agg(score ORDER BY no), array_agg(tie ORDER BY no), array_agg(reach::integer ORDER BY no)
    FROM reaching GROUP BY piece;
END $$;

COMMENT ON FUNCTION board_cut IS
'Divides the range between two places into even pieces and parts. Uses one statement, so that everything
comes from one snapshot and later moves remain pending. The caller holds the board''s lock.
Called by board_rebalance.';
