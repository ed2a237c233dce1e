CREATE OR REPLACE FUNCTION do_vacation(p_player bigint, p_on boolean)
    RETURNS TABLE (code text, body text, seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_left   interval;
    v_code   text := 'ok';
    v_tables bigint[] := '{}';
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF p_on AND NOT vacation_is_on(p_player) THEN
        PERFORM vacation_end(p_player);
        v_left := vacation_left(p_player);
        IF v_left < interval '1 hour' THEN
            v_code := 'no_vacation_left';
        ELSE
            INSERT INTO vacations AS v (player_id, year, used, since, until)
            VALUES (p_player, vacation_year(), '0', now(), now() + v_left)
            ON CONFLICT (player_id) DO UPDATE
            SET year = vacation_year(), since = now(), until = now() + v_left,
                used = CASE WHEN v.year = vacation_year() THEN v.used ELSE '0' END;
            WITH stopped AS (
                UPDATE slow_turns SET left_for = greatest(due_at - now(), '0'), due_at = NULL
                WHERE player_id = p_player AND due_at IS NOT NULL RETURNING table_id)
            SELECT coalesce(array_agg(table_id), '{}') INTO v_tables FROM stopped;
        END IF;
    ELSIF NOT p_on THEN
        v_tables := vacation_end(p_player);
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'ok' THEN vacation_json(p_player)::text END, v_tables;
END $$;

COMMENT ON FUNCTION do_vacation IS
'Begins a player''s vacation, which stops their clocks in all correspondence turns, or ends it: each continues
with the remaining time. It ends by itself when the days of the year are used up. seats_of: tables whose
clocks were stopped, or continue; their nodes must be notified. A request for the current state changes
nothing.
Refusals: no_vacation_left (less than an hour).
Locks: the player.
Called by api.';
