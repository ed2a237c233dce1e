CREATE OR REPLACE FUNCTION board_rebalance(p_board integer, p_score bigint, p_tie bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_end  bigint := 9223372036854775807;
    v_few  bigint := setting_int('board_part') ^ 2;
    v_n    bigint;
    v_next board_pieces;
BEGIN
    SELECT reach[1] INTO v_n FROM board_pieces WHERE board_id = p_board AND score = p_score AND tie = p_tie;
    IF NOT FOUND THEN
        RETURN; -- already merged with another one
    END IF;
    FOR v_next IN SELECT * FROM board_pieces WHERE board_id = p_board AND (score, tie) > (p_score, p_tie)
                  ORDER BY score, tie LOOP
        EXIT WHEN v_n >= v_few;
        v_n := v_n + v_next.reach[1];
        v_next := NULL;
    END LOOP;
    IF v_next.score IS NULL AND v_n < v_few THEN
        SELECT score, tie INTO p_score, p_tie FROM (
            SELECT score, tie FROM board_pieces WHERE board_id = p_board AND (score, tie) <= (p_score, p_tie)
            ORDER BY score DESC, tie DESC LIMIT 2) b
        ORDER BY score, tie LIMIT 1;
    END IF;
    PERFORM board_cut(p_board, p_score, p_tie, coalesce(v_next.score, v_end), coalesce(v_next.tie, v_end));
END $$;

COMMENT ON FUNCTION board_rebalance IS
'Divides a piece again, together with those above it as long as all of them are small, and the last one
together with the one below. The caller holds the board''s lock.
Called by board_fold.';
