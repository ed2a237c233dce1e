CREATE OR REPLACE FUNCTION do_fold_boards(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_max    bigint := setting_int('board_moves_max');
    v_boards integer[] := ARRAY(SELECT board_id FROM board_moves GROUP BY board_id HAVING count(*) > v_max
                                ORDER BY board_id LIMIT p_max);
    v_board  integer;
BEGIN
    FOREACH v_board IN ARRAY v_boards LOOP
        PERFORM board_fold(v_board);
    END LOOP;
    RETURN cardinality(v_boards);
END $$;

COMMENT ON FUNCTION do_fold_boards IS
'Sums the moves of the boards that have many, at most p_max boards. Returns the number of boards.
Called by server.';
