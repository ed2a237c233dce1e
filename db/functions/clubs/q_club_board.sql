CREATE OR REPLACE FUNCTION q_club_board(p_reader bigint, p_club bigint, p_variant text, p_kind text,
                                        p_period text, p_score bigint, p_after bigint, p_place bigint,
                                        p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN
        RETURN QUERY SELECT 'no_such_club', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
        RETURN;
    END IF;
    RETURN QUERY SELECT * FROM board_page_among(p_reader, p_variant, p_kind, p_period,
        ARRAY(SELECT m.player_id FROM club_members m WHERE m.club_id = p_club AND m.role <> 'asks'),
        p_score, p_after, p_limit);
END $$;

COMMENT ON FUNCTION q_club_board IS
'A page of a club''s members on a board after (p_score, p_after), with their places among all; the first row
is the head. Places are computed, not counted from p_place.
Refusals: no_such_club, and those of board_refusal.
Called by api.';
