CREATE OR REPLACE FUNCTION league_boards_forget() RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_board integer;
    v_n     bigint;
BEGIN
    SELECT b.id INTO v_board FROM boards b JOIN seasons s ON s.state = 'ended' AND b.period LIKE s.no || ':%'
    WHERE b.kind = 'league' ORDER BY b.id LIMIT 1;
    IF v_board IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || v_board, 0));
    DELETE FROM board_entries WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM board_entries WHERE board_id = v_board LIMIT setting_int('season_open_batch')));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    DELETE FROM board_moves WHERE board_id = v_board;
    IF v_n = 0 THEN
        DELETE FROM board_pieces WHERE board_id = v_board;
        DELETE FROM boards WHERE id = v_board;
    END IF;
    RETURN jsonb_build_object('entries', v_n);
END $$;

COMMENT ON FUNCTION league_boards_forget IS
'Removes a part of the table of a league whose season has ended, because season_results has the places.
NULL: there is no such table.
Called by partition_upkeep_step.';
