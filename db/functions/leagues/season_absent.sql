CREATE OR REPLACE FUNCTION season_absent(s seasons) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET work_mem = '32MB' AS $$
DECLARE
    v_limit  bigint := setting_int('season_batch');
    v_n      bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM absent_decisions(s.no, s.at_player, v_limit)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, games, to_position, reason)
        SELECT s.no, player_id, "position", 0, to_position, 'inactive' FROM decided
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM decided d WHERE m.player_id = d.player_id AND d.to_position IS NOT NULL
    ), gone AS (
        DELETE FROM league_members m USING decided d WHERE m.player_id = d.player_id AND d.to_position IS NULL
    )
    SELECT count(*), max(player_id) INTO v_n, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_player = v_player WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'prizes' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'absent', v_n, 'moved', v_n);
END $$;

COMMENT ON FUNCTION season_absent IS
'One step of a season''s end: records the results of season_batch players who have not played in it, and
moves them.
Called by season_rollover_step.';
