CREATE OR REPLACE FUNCTION count_finished_table() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
    v_players  bigint[] := '{}';
    v_points   bigint[] := '{}';
    v_won      boolean[] := '{}';
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_game.id IS NULL OR v_game.practice THEN
        RETURN NULL;
    END IF;
    UPDATE game_players g SET facts = r.facts
    FROM hands h CROSS JOIN LATERAL jsonb_to_recordset(h.results) AS r (seat smallint, facts jsonb)
    WHERE h.table_id = NEW.id AND h.hand_no = v_game.hand_no AND g.game_id = v_game.id AND g.seat = r.seat
      AND r.facts IS NOT NULL;
    PERFORM count_stats(v_game);
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL
                    ORDER BY player_id LOOP
        PERFORM notify_level(v_result);
        PERFORM count_achievements(v_game, v_result);
        v_players := v_players || v_result.player_id;
        v_points := v_points || v_result.game_points::bigint;
        v_won := v_won || v_result.won;
    END LOOP;
    IF v_game.rated AND v_position IS NOT NULL THEN
        PERFORM count_league_games(v_players, v_position, v_points, v_won, v_game.ended_at);
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION count_finished_table IS
'When a table is finished: statistics, achievements, news of levels, and the game''s place in a league. What
the table noticed about each seat''s game stands in the results of its last hand. Practice counts for
nothing.
Called by the trigger count_finished_table of tables.';
