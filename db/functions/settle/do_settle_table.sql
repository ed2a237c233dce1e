CREATE OR REPLACE FUNCTION do_settle_table(p_table bigint, p_epoch bigint, p_ending text, p_results jsonb,
                                           p_record text)
    RETURNS TABLE (code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer,
                   game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint,
                   level_gold bigint, level integer, levels_gained integer, title text, rating integer,
                   rated boolean, practice boolean)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
    v_table  tables;
    v_game   games;
    v_result game_players;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'finished' THEN 'already_done'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' THEN 'not_playing' END;
    IF v_code IS NOT NULL AND v_code <> 'already_done' THEN
        code := v_code;
        RETURN NEXT;
        RETURN;
    END IF;
    IF v_code IS NULL THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        v_game := store_game(v_table, p_ending, p_results, p_record);
        -- Levels first: the reward then meets the cap of the level this very game has reached.
        FOR v_result IN SELECT * FROM game_players g WHERE g.game_id = v_game.id AND g.player_id IS NOT NULL
                        ORDER BY g.player_id LOOP
            PERFORM settle_points(v_game, v_result);
        END LOOP;
        IF NOT v_table.practice THEN
            PERFORM settle_chips(v_table, v_game.id);
        END IF;
        DELETE FROM journal j WHERE j.table_id = p_table;
        UPDATE seats s SET live = false WHERE s.table_id = p_table;
        UPDATE tables SET state = 'finished', ended_at = v_game.ended_at WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT * FROM q_settled(p_table, coalesce(v_code, 'ok'));
END $$;

COMMENT ON FUNCTION do_settle_table IS
'Ends a played table: game and record stored, points, levels, ratings and chips settled, journal folded away,
all in the caller''s transaction and once only. A row for each seat; a refusal is one row with only a code.
p_ending: out, no_cards, stalled or last.
Key: the table; already_done comes with the stored result.
Refusals: already_done, no_such_table, stale_epoch, not_playing. Raises when the results do not fit the
table.
Called by db.';
