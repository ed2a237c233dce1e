CREATE OR REPLACE FUNCTION board_page_among(p_reader bigint, p_variant text, p_kind text, p_period text,
                                            p_players bigint[], p_score bigint, p_after bigint,
                                            p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    SELECT players, scores INTO v_players, v_scores
    FROM board_among(v_board, p_players, p_score, p_after, p_limit);
    RETURN QUERY SELECT * FROM board_page(
        p_reader, v_board, p_variant, p_kind, p_period, v_players, v_scores, NULL);
END $$;

COMMENT ON FUNCTION board_page_among IS
'A page of these players on a board after (p_score, p_after), with their places among all; the first row is
the head. Places are computed.
Refusals: those of board_refusal.
Called by q_board_friends, q_club_board.';
