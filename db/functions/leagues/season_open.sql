CREATE OR REPLACE FUNCTION season_open(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_limit   bigint := setting_int('season_open_batch');
    v_players bigint[] := ARRAY(SELECT DISTINCT player_id FROM league_games
                                WHERE season_no = s.no AND player_id > s.at_player ORDER BY player_id
                                LIMIT v_limit);
BEGIN
    PERFORM lock_players(v_players);
    PERFORM make_league_rows(s.no, v_players);
    IF cardinality(v_players) = v_limit THEN
        UPDATE seasons SET at_player = v_players[v_limit] WHERE no = s.no;
    ELSE
        UPDATE seasons SET state = 'open' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('opened', cardinality(v_players));
END $$;

COMMENT ON FUNCTION season_open IS
'One step of a season''s beginning: creates the rows of season_open_batch players who played while the
previous season was being closed. Games that end in the meantime create their own rows.
Called by season_rollover_step.';
