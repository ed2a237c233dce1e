CREATE OR REPLACE FUNCTION board_top(p_board integer) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO board_tops (board_id, scores, ties, above)
    SELECT p_board, array_agg(score ORDER BY score, tie), array_agg(tie ORDER BY score, tie),
           array_agg(above ORDER BY score, tie)
    FROM (SELECT score, tie, sum(reach[1]) OVER (ORDER BY score DESC, tie DESC ROWS UNBOUNDED PRECEDING)
          - reach[1] AS above
          FROM board_pieces WHERE board_id = p_board) b
    ON CONFLICT (board_id) DO UPDATE SET scores = excluded.scores, ties = excluded.ties,
    above = excluded.above
$$;

COMMENT ON FUNCTION board_top IS
'Stores where the pieces of a board begin and the counts above them. The caller holds the board''s lock.
Called by board_fold.';
