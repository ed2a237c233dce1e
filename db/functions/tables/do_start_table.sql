CREATE OR REPLACE FUNCTION do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[],
                                          p_bot_level integer, p_client_seeds bytea[])
    RETURNS TABLE (code text, practice boolean)
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
    v_practice boolean := false;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state = 'playing' THEN 'already_done'
                   WHEN v_table.state <> 'waiting' THEN 'table_over'
                   WHEN v_table.people_n = 0 THEN 'table_empty'
                   WHEN v_table.people_n + v_table.bots_n < v_table.seats_n
                        AND NOT coalesce((SELECT bots FROM rooms WHERE id = v_table.room_id), false)
                   THEN 'seats_free'
                   WHEN cardinality(p_bot_nicknames) < v_table.seats_n - v_table.people_n
                        OR cardinality(p_client_seeds) <> v_table.seats_n THEN 'too_few_bots'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        IF v_table.people_n < v_table.seats_n THEN
            INSERT INTO seats (table_id, seat, bot_level, nickname)
            SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
            FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n
                  FROM generate_series(0, v_table.seats_n - 1) g
                  WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        END IF;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
        SELECT p_table, v_table.hand_no, v_table.server_seed, v_table.commit,
               pack_seeds(array_agg(s.client_seed ORDER BY s.seat)), now()
        FROM seats s WHERE s.table_id = p_table;
        v_practice := v_table.practice;
        IF v_table.people_n = 1 AND NOT v_table.practice THEN
            v_practice := start_solo(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

COMMENT ON FUNCTION do_start_table IS
'Fills the free seats with bots (names in the order given), deals the first hand and starts. p_client_seeds:
one for each seat, empty where none was sent. practice: no chips and no points.
Refusals: already_done, no_such_table, stale_epoch, table_over, table_empty, seats_free (the room has no
bots), too_few_bots (names or seeds).
Called by db.';
