CREATE OR REPLACE FUNCTION q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text,
                                           p_score bigint, p_after bigint, p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY SELECT * FROM board_page_among(p_reader, p_variant, p_kind, p_period,
        ARRAY(SELECT f FROM friends_of(p_reader) f) || p_reader, p_score, p_after, p_limit);
END $$;

COMMENT ON FUNCTION q_board_friends IS
'A page of the reader and their friends after (p_score, p_after), with their places among all; the first row
is the head. Places are computed, not counted from p_place.
Refusals: those of board_refusal.
Called by api.';
