CREATE OR REPLACE FUNCTION season_rank(s seasons) RETURNS jsonb
    LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET work_mem = '32MB' AS $$
DECLARE
    v_limit bigint := setting_int('season_batch');
    v_next  integer := (SELECT min(position) FROM leagues WHERE position > s.at_position);
    v_n     bigint;
    v_moved bigint;
    v_place bigint;
    v_score bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM league_decisions(s.no, s.at_position, s.cuts, s.at_place, s.at_score, s.at_player,
                                       v_limit)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, place, games, rating, to_position, reason,
                                    rule)
        SELECT s.no, player_id, s.at_position, place, games, rating, to_position, reason, rule FROM decided
        ORDER BY player_id
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM (SELECT * FROM decided ORDER BY player_id) d
        WHERE m.player_id = d.player_id AND d.to_position <> s.at_position
        RETURNING 1
    )
    SELECT count(*), (SELECT count(*) FROM moved), max(place),
           (array_agg(score ORDER BY place DESC))[1], (array_agg(player_id ORDER BY place DESC))[1]
    INTO v_n, v_moved, v_place, v_score, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_place = v_place, at_score = v_score, at_player = v_player WHERE no = s.no;
    ELSIF v_next IS NOT NULL THEN
        UPDATE seasons SET at_position = v_next, at_place = 0, at_score = NULL, at_player = 0,
                           cuts = league_cuts(s.no, v_next, league_ranked_n(s.no, v_next), false)
        WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'absent', at_player = 0 WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'moved', v_moved);
END $$;

COMMENT ON FUNCTION season_rank IS
'One step of a season''s end: records the results of season_batch players of the current league, and moves
them.
Called by season_rollover_step.';
