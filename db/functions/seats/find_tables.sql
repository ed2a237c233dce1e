CREATE OR REPLACE FUNCTION find_tables(p_room rooms, p_players bigint[], p_node text, p_server_seeds bytea[],
                                       p_commits bytea[])
    RETURNS bigint[]
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_chosen record;
    v_locked bigint[];
    v_found  bigint[] := '{}';
    v_skip   bigint[] := '{}';
    v_tries  integer;
    v_queues boolean := cardinality(p_players) > 1;
BEGIN
    IF v_queues THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
    END IF;
    LOOP
        SELECT * INTO v_chosen FROM choose_tables(p_room, p_players, p_node, v_skip);
        IF v_chosen.wanted <> '{}' THEN
            v_locked := ARRAY(SELECT t.id FROM tables t
                              JOIN unnest(v_chosen.ids, v_chosen.people, v_chosen.takes)
                                       c (id, people_n, takes_n) USING (id, people_n, takes_n)
                              WHERE t.id = ANY (v_chosen.wanted) AND t.state = 'waiting'
                              FOR NO KEY UPDATE OF t SKIP LOCKED);
            IF cardinality(v_locked) < cardinality(v_chosen.wanted) THEN
                v_skip := v_skip || ARRAY(SELECT id FROM unnest(v_chosen.wanted) id
                                          WHERE id <> ALL (v_locked));
                CONTINUE;
            END IF;
        END IF;
        EXIT WHEN v_chosen.openers = '{}';
        IF NOT v_queues THEN
            v_queues := true;
            PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
        ELSE
            v_tries := coalesce(v_tries, setting_int('seat_tries_max'));
            EXIT WHEN v_skip = '{}' OR v_tries = 0;
            PERFORM pg_sleep(setting_int('seat_retry_ms') / 1000.0);
            v_tries := v_tries - 1;
        END IF;
        v_skip := '{}';
    END LOOP;
    IF v_chosen.openers <> '{}' THEN
        v_chosen.ids := v_chosen.ids || ARRAY(
            SELECT t.id
            FROM open_room_tables(p_room, p_node,
                                  ARRAY(SELECT p_server_seeds[n] FROM unnest(v_chosen.openers) n),
                                  ARRAY(SELECT p_commits[n] FROM unnest(v_chosen.openers) n)) t
            ORDER BY t.id);
    END IF;
    FOR v_i IN 1..cardinality(p_players) LOOP
        v_found := v_found || v_chosen.ids[v_chosen.places[v_i]];
    END LOOP;
    RETURN v_found;
END $$;

COMMENT ON FUNCTION find_tables IS
'A locked table of the room for each of these players: a waiting one, or a new one with the seed of its
first player. Players who arrive together should sit together, so they queue for the room (and for nothing
else, so that no deadlock can arise). They search again, a few times, while the chosen tables are locked or
change. A single player who finds a table at once does not queue. A table is used only if it has not changed
since it was chosen; its players cannot change once its row is locked.
Called by do_seat_batch, do_take_seat.';
