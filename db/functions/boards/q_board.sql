CREATE OR REPLACE FUNCTION q_board(p_reader bigint, p_variant text, p_kind text, p_period text,
                                   p_score bigint, p_after bigint, p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, p_score, p_after, p_limit);
    RETURN QUERY SELECT * FROM board_page(
        p_reader, v_board, p_variant, p_kind, p_period, v_players, v_scores,
        ARRAY(SELECT coalesce(p_place, 0) + n FROM generate_series(1, cardinality(v_players)) n));
END $$;

COMMENT ON FUNCTION q_board IS
'A page of a leaderboard after (p_score, p_after); the first row is the head.
Refusals: those of board_refusal.
Called by api.';
