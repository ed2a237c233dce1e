CREATE OR REPLACE FUNCTION board_fold(p_board integer) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_begin  bigint := -9223372036854775807; -- after all places
    v_new    boolean;
    v_scores bigint[];
    v_ties   bigint[];
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || p_board, 0));
    v_new := NOT EXISTS (SELECT FROM board_tops WHERE board_id = p_board);
    IF v_new THEN -- one statement, so that entries and moves come from one snapshot
        INSERT INTO board_pieces (board_id, score, tie, scores, ties, reach)
        SELECT p_board, v_begin, v_begin, ARRAY[v_begin], ARRAY[v_begin], ARRAY[
            (SELECT count(*) FROM board_entries WHERE board_id = p_board)
            - (SELECT coalesce(sum(change), 0) FROM board_moves WHERE board_id = p_board)];
        PERFORM board_top(p_board);
    END IF;
    SELECT scores, ties INTO v_scores, v_ties FROM board_add_moves(p_board);
    IF v_new THEN
        v_scores := ARRAY[v_begin];
        v_ties := ARRAY[v_begin];
    END IF;
    FOR i IN 1 .. cardinality(v_scores) LOOP
        PERFORM board_rebalance(p_board, v_scores[i], v_ties[i]);
    END LOOP;
    PERFORM board_top(p_board);
END $$;

COMMENT ON FUNCTION board_fold IS
'Sums the moves of a board, and rebalances its pieces. A board without pieces is cut from scratch. An
advisory lock allows one call at a time.
Called by do_fold_boards.';
