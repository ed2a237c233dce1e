CREATE OR REPLACE FUNCTION vacation_end(p_player bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_turn   slow_turns;
    v_tables bigint[] := '{}';
BEGIN
    UPDATE vacations SET used = used + (least(now(), until) - since), since = NULL, until = NULL
    WHERE player_id = p_player AND since IS NOT NULL;
    IF NOT FOUND THEN
        RETURN v_tables;
    END IF;
    FOR v_turn IN UPDATE slow_turns SET due_at = now() + left_for, left_for = NULL
                  WHERE player_id = p_player AND due_at IS NULL RETURNING * LOOP
        v_tables := v_tables || v_turn.table_id;
        PERFORM slow_turn_notify(v_turn);
    END LOOP;
    RETURN v_tables;
END $$;

COMMENT ON FUNCTION vacation_end IS
'Ends a player''s vacation, if they are on one: their clocks continue with the remaining time, and they are
notified of turns that began in the meantime. Returns the tables.
Called by do_vacation, do_wake_due, slow_turns_end.';
