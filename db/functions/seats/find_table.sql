CREATE OR REPLACE FUNCTION find_table(p_player bigint, p_room rooms, p_node text, p_server_seed bytea,
                                      p_commit bytea)
    RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables := lock_joinable_table(p_player, p_room, p_node);
BEGIN
    IF v_table.id IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
        FOR v_try IN 1..setting_int('seat_tries_max') LOOP
            v_table := lock_joinable_table(p_player, p_room, p_node);
            EXIT WHEN v_table.id IS NOT NULL
                OR NOT EXISTS (SELECT 1 FROM joinable_tables(p_player, p_room, p_node));
            PERFORM pg_sleep(setting_int('seat_retry_ms') / 1000.0);
        END LOOP;
    END IF;
    IF v_table.id IS NULL THEN
        SELECT * INTO v_table
        FROM open_room_tables(p_room, p_node, ARRAY[p_server_seed], ARRAY[p_commit]);
    END IF;
    RETURN v_table;
END $$;

COMMENT ON FUNCTION find_table IS
'A waiting table of the room with a free seat, locked; or a new one. Players who come together should sit
together: a player who finds none queues for the room (and for nothing else, so that no deadlock can arise)
and searches again, a few times while others are sitting down at the existing tables.
Called by do_take_seat.';
