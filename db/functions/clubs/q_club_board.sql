CREATE OR REPLACE FUNCTION q_club_board(p_reader bigint, p_club bigint, p_variant text, p_kind text,
                                        p_period text, p_score bigint, p_after bigint, p_place bigint,
                                        p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    IF NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN
        RETURN QUERY SELECT 'no_such_club', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
        RETURN;
    END IF;
    SELECT players, scores INTO v_players, v_scores
    FROM board_among(v_board, ARRAY(SELECT m.player_id FROM club_members m
                                    WHERE m.club_id = p_club AND m.role <> 'asks'),
                     p_score, p_after, p_limit);
    RETURN QUERY SELECT * FROM board_page(
        p_reader, v_board, p_variant, p_kind, p_period, v_players, v_scores, NULL);
END $$;

COMMENT ON FUNCTION q_club_board IS
'A page of a club''s members on a board behind (p_score, p_after), with their places among all; the first row
is the head. Places are found, not counted on from p_place.
Refusals: no_such_club, and those of board_refusal.
Called by api.';
