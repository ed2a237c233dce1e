CREATE OR REPLACE FUNCTION find_tables(p_room rooms, p_players bigint[], p_node text, p_server_seeds bytea[],
                                       p_commits bytea[])
    RETURNS bigint[]
    LANGUAGE plpgsql
    SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_chosen record;
    v_wanted bigint[];
    v_locked bigint[];
    v_first  integer[]; -- of each table to be opened: the first to come there
    v_skip   bigint[] := '{}';
    v_tries  integer := setting_int('seat_tries_max');
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
    LOOP
        SELECT * INTO v_chosen FROM choose_tables(p_room, p_players, p_node, v_skip);
        v_wanted := ARRAY(SELECT v_chosen.ids[place] FROM unnest(v_chosen.places) place
                          WHERE place <= cardinality(v_chosen.ids) GROUP BY place);
        v_locked := ARRAY(SELECT t.id FROM tables t
                          JOIN unnest(v_chosen.ids, v_chosen.people, v_chosen.takes) c (id, people_n, takes_n)
                              USING (id, people_n, takes_n)
                          WHERE t.id = ANY (v_wanted) AND t.state = 'waiting'
                          FOR NO KEY UPDATE OF t SKIP LOCKED);
        IF cardinality(v_locked) < cardinality(v_wanted) THEN
            v_skip := v_skip || ARRAY(SELECT id FROM unnest(v_wanted) id WHERE id <> ALL (v_locked));
        ELSE
            EXIT WHEN v_skip = '{}' OR v_tries = 0
                OR NOT cardinality(v_chosen.ids) < ANY (v_chosen.places);
            PERFORM pg_sleep(setting_int('seat_retry_ms') / 1000.0);
            v_skip := '{}';
            v_tries := v_tries - 1;
        END IF;
    END LOOP;
    v_first := ARRAY(SELECT min(n) FROM unnest(v_chosen.places) WITH ORDINALITY u (place, n)
                     WHERE place > cardinality(v_chosen.ids) GROUP BY place ORDER BY place);
    IF v_first <> '{}' THEN
        v_chosen.ids := v_chosen.ids || ARRAY(
            SELECT t.id
            FROM open_room_tables(p_room, p_node, ARRAY(SELECT p_server_seeds[n] FROM unnest(v_first) n),
                                  ARRAY(SELECT p_commits[n] FROM unnest(v_first) n)) t
            ORDER BY t.id);
    END IF;
    RETURN ARRAY(SELECT v_chosen.ids[place] FROM unnest(v_chosen.places) WITH ORDINALITY u (place, n)
                 ORDER BY u.n);
END $$;

COMMENT ON FUNCTION find_tables IS
'find_table for many: for each of these players a table of the room, locked, either a waiting one or a new one
with the seed of its first player. Everyone who enters a room queues for it (and for nothing else, so that no
deadlock can arise), and searches again, a few times, while the chosen tables are locked or change. A table is
used only if it is unchanged since it was chosen: the players of a table cannot change once its row is locked.
Called by do_seat_batch.';
