-- Who sits with whom at tables that players open, and who may watch them.

-- bots_kept: how many seats the creator kept for bots. Who takes the place of one and goes before the deal leaves it to a bot
-- again.
ALTER TABLE tables ADD COLUMN bots_kept smallint NOT NULL DEFAULT 0 CHECK (bots_kept >= 0);
UPDATE tables SET bots_kept = bots_n WHERE bots_n > 0;

-- As before. Who came while this one looked may be one he is not to meet: the people of a table hold still only once its row is
-- locked, so they are looked at again. Such a table is not found a second time.
CREATE OR REPLACE FUNCTION lock_joinable_table(p_player bigint, p_room rooms, p_node text) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables;
BEGIN
    LOOP
        SELECT t.* INTO v_table FROM tables t
        WHERE t.id IN (SELECT j.id FROM joinable_tables(p_player, p_room, p_node) j)
          AND t.state = 'waiting' AND t.people_n < t.seats_n
        ORDER BY rating_bands(p_player, t), t.created_at, t.id LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED;
        EXIT WHEN NOT is_barred(p_player, v_table.id);
    END LOOP;
    RETURN v_table;
END $$;

-- As before, and nobody is seated with one he is not to meet. code: ok, no_such_player, banned, no_such_table, table_over,
-- table_full (or playing), too_many_tables, blocked, idempotency_key_reused, and those of stake_refusal.
CREATE OR REPLACE FUNCTION do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea,
                              p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean, join_code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
BEGIN
    IF p_code IS NULL THEN
        SELECT * INTO v_table FROM tables t WHERE t.id = p_table AND t.visibility = 'public' FOR NO KEY UPDATE;
    ELSE
        SELECT * INTO v_table FROM tables t WHERE t.code = p_code AND t.state IN ('waiting', 'playing')
        FOR NO KEY UPDATE;
    END IF;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'join_table', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state IN ('finished', 'cancelled') THEN 'table_over'
                       WHEN v_seat IS NOT NULL THEN NULL
                       WHEN v_table.state <> 'waiting' OR v_table.people_n >= v_table.seats_n THEN 'table_full'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN is_barred(p_player, v_table.id) THEN 'blocked'
                       ELSE stake_refusal(p_player, v_table.variant, v_table.visibility, v_table.bots_n,
                                          CASE WHEN v_table.point_value > 0 THEN 0 ELSE v_table.stake END, v_table.point_value,
                                          false) END;
        IF v_code IS NULL THEN
            IF v_seat IS NULL AND v_table.people_n + v_table.bots_n >= v_table.seats_n THEN
                UPDATE tables t SET bots_n = bots_n - 1 WHERE t.id = v_table.id;
            END IF;
            v_seat := coalesce(v_seat, seat_player(p_player, v_table));
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'join_table', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code';
END $$;

-- As before; a bot has its place again.
CREATE OR REPLACE FUNCTION do_leave_seat(p_player bigint, p_table bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_table';
        RETURN;
    END IF;
    SELECT * INTO v_seat FROM seats WHERE table_id = p_table AND player_id = p_player;
    IF NOT FOUND OR v_table.state <> 'waiting' THEN
        RETURN QUERY SELECT CASE WHEN v_seat.table_id IS NULL THEN 'no_such_seat'
                                 WHEN v_table.state = 'playing' THEN 'game_running' ELSE 'table_over' END;
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    PERFORM refund_stake(v_seat, 'left while waiting');
    DELETE FROM tickets WHERE table_id = p_table AND player_id = p_player;
    DELETE FROM seats WHERE table_id = p_table AND player_id = p_player;
    UPDATE tables SET people_n = people_n - 1,
                      bots_n = least(bots_kept, seats_n - people_n + 1),
                      state = CASE WHEN people_n = 1 THEN 'cancelled' ELSE state END,
                      ended_at = CASE WHEN people_n = 1 THEN now() END
    WHERE id = p_table;
    RETURN QUERY SELECT 'ok';
END $$;

DROP FUNCTION do_open_table(bigint, text, text, jsonb, integer, text, integer, integer, text, bytea, uuid, bytea, bytea, text, text[],
                            bigint, integer);

-- As before. p_watch_delay_ms: how much later than the seats a watcher sees the table; NULL: nobody may watch it.
CREATE FUNCTION do_open_table(p_player bigint, p_variant text, p_params text, p_options jsonb, p_seats integer,
                              p_visibility text, p_bots integer, p_bot_level integer, p_idem_key text,
                              p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text,
                              p_codes text[], p_stake bigint, p_point_value integer,
                              p_watch_delay_ms integer)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean, join_code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_table  tables;
    v_code   text;
    v_join   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'open_table', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        IF p_visibility = 'private' THEN
            SELECT c INTO v_join FROM unnest(p_codes) WITH ORDINALITY AS u (c, n)
            WHERE NOT EXISTS (SELECT 1 FROM tables t WHERE t.code = c AND t.state IN ('waiting', 'playing'))
            ORDER BY n LIMIT 1;
        END IF;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN p_visibility = 'private' AND v_join IS NULL THEN 'busy'
                       ELSE stake_refusal(p_player, p_variant, p_visibility, p_bots, p_stake, p_point_value, true) END;
        IF v_code IS NULL THEN
            INSERT INTO tables (variant, params, options, seats_n, stake, point_value, reward, multiplier_tenths, practice, node,
                                server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept, bot_level, code,
                                watch_delay_ms)
            VALUES (p_variant, p_params, p_options, p_seats,
                    CASE WHEN p_point_value > 0 THEN p_point_value * setting_int('point_value_hold') ELSE p_stake END,
                    p_point_value, 0, 0, p_visibility = 'private', p_node, p_server_seed,
                    p_commit, now() + make_interval(secs => setting_int('custom_wait_ms') / 1000.0), p_visibility,
                    p_player, p_bots, p_bots, p_bot_level, v_join, p_watch_delay_ms)
            RETURNING * INTO v_table;
            v_answer := seat_answer(p_player, v_table, seat_player(p_player, v_table), p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'open_table', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code';
END $$;

-- As before, and what a point costs is pinned as well.
CREATE OR REPLACE FUNCTION open_rematch(p_table tables, p_room rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_new tables := p_table;
BEGIN
    INSERT INTO tables (room_id, variant, params, options, seats_n, stake, reward, multiplier_tenths, practice, node,
                        server_seed, commit, fill_at, visibility, creator_id, bots_n, bots_kept, bot_level, code, watch_delay_ms,
                        rematch_of, point_value)
    VALUES (p_table.room_id, p_table.variant, p_table.params, p_table.options, p_table.seats_n,
            coalesce(p_room.stake, p_table.stake), coalesce(p_room.reward, p_table.reward),
            coalesce(p_room.multiplier_tenths, p_table.multiplier_tenths), p_table.visibility = 'private', p_node,
            p_server_seed, p_commit, now() + make_interval(secs => setting_int('rematch_wait_ms') / 1000.0),
            p_table.visibility, p_table.creator_id, p_table.bots_n, p_table.bots_n, p_table.bot_level, p_table.code,
            p_table.watch_delay_ms, p_table.id, p_table.point_value)
    RETURNING * INTO v_new;
    RETURN v_new;
END $$;

-- As before, and at the table of a player too the rematch needs the chips of its stake: codes of stake_refusal.
CREATE OR REPLACE FUNCTION do_rematch(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid,
                           p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean, join_code text, old_seat smallint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_old    tables;
    v_table  tables;
    v_room   rooms;
    v_seat   smallint;
    v_code   text;
BEGIN
    SELECT * INTO v_old FROM tables t WHERE t.id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_table FROM tables t WHERE t.rematch_of = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    SELECT s.seat INTO old_seat FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player;
    v_answer := idempotent_answer(p_player, p_idem_key, 'rematch', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms r WHERE r.id = v_old.room_id;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_old.id IS NULL THEN 'no_such_table'
                       WHEN old_seat IS NULL THEN 'no_such_seat'
                       WHEN v_old.state IN ('waiting', 'playing') THEN 'game_running'
                       WHEN v_seat IS NOT NULL AND v_table.state IN ('waiting', 'playing') THEN NULL
                       WHEN v_old.state <> 'finished'
                         OR v_old.ended_at < now() - make_interval(secs => setting_int('rematch_offer_ms') / 1000.0)
                         OR v_table.state <> 'waiting' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                       THEN 'rematch_over'
                       WHEN v_room.id IS NOT NULL AND NOT v_room.open THEN 'room_closed'
                       WHEN v_room.id IS NOT NULL AND seat_refusal(p_player, v_room) IS NOT NULL
                       THEN seat_refusal(p_player, v_room)
                       WHEN v_room.id IS NULL AND (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN v_table.id IS NULL AND v_old.code IS NOT NULL AND EXISTS (
                            SELECT 1 FROM tables t WHERE t.code = v_old.code AND t.state IN ('waiting', 'playing'))
                       THEN 'busy'
                       WHEN is_barred(p_player, v_table.id) THEN 'blocked'
                       WHEN v_room.id IS NULL
                       THEN stake_refusal(p_player, v_old.variant, v_old.visibility, v_old.bots_n,
                                          CASE WHEN v_old.point_value > 0 THEN 0 ELSE v_old.stake END, v_old.point_value, false) END;
        IF v_code IS NULL THEN
            IF v_table.id IS NULL THEN
                v_table := open_rematch(v_old, v_room, p_node, p_server_seed, p_commit);
            END IF;
            IF v_seat IS NULL THEN
                v_seat := seat_player(p_player, v_table);
                UPDATE tables t SET fill_at = now()
                WHERE t.id = v_table.id AND t.people_n >= v_old.people_n AND t.fill_at > now();
            END IF;
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'rematch', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new, v_answer->>'join_code',
                        old_seat;
END $$;
