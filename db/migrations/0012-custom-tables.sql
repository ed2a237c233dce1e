-- Tables that players open themselves: any variant with its options, people and bots as they like. A private
-- one is entered by its code and played without chips and points; a public one stands in a list.

-- options: as the creator named them, for people; params is what the engine reads. bots_n: seats kept for bots,
-- so a table is full with seats_n - bots_n people. code: enters a private table.
ALTER TABLE tables
    ALTER COLUMN room_id DROP NOT NULL,
    ADD COLUMN visibility text     NOT NULL DEFAULT 'room' CHECK (visibility IN ('room', 'public', 'private')),
    ADD COLUMN creator_id bigint   REFERENCES players (id),
    ADD COLUMN options    jsonb    NOT NULL DEFAULT '{}',
    ADD COLUMN bots_n     smallint NOT NULL DEFAULT 0 CHECK (bots_n >= 0),
    ADD COLUMN bot_level  smallint CHECK (bot_level BETWEEN 1 AND 3), -- of these bots
    ADD COLUMN code       text,
    ADD CHECK (people_n + bots_n <= seats_n),
    ADD CHECK ((visibility = 'room') = (room_id IS NOT NULL)),
    ADD CHECK ((visibility = 'room') = (creator_id IS NULL)),
    ADD CHECK ((visibility = 'private') = (code IS NOT NULL));
CREATE UNIQUE INDEX tables_code ON tables (code) WHERE code IS NOT NULL AND state IN ('waiting', 'playing');
CREATE INDEX tables_public ON tables (id) WHERE visibility = 'public' AND state = 'waiting';

ALTER TABLE games
    ALTER COLUMN room_id DROP NOT NULL,
    DROP CONSTRAINT games_ending_check,
    ADD CHECK (ending IN ('out', 'no_cards', 'stalled', 'last'));

INSERT INTO settings (name, value, about) VALUES
    ('custom_wait_ms', '900000', 'a table that a player opened waits so long for people before it is cancelled');

-- Writes a ticket for a seat and the answer that leads to it.
CREATE FUNCTION seat_answer(p_player bigint, p_table tables, p_seat smallint, p_ticket uuid) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_expires timestamptz := now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0);
BEGIN
    INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
    VALUES (p_ticket, p_table.id, p_player, p_seat, v_expires);
    RETURN jsonb_build_object('code', 'ok', 'table_id', p_table.id, 'seat', p_seat, 'ticket', p_ticket,
                              'expires_at', v_expires, 'commit', encode(p_table.commit, 'hex'),
                              'node', p_table.node, 'join_code', p_table.code);
END $$;

-- Opens a table with its creator in seat 0. p_bots seats are kept for bots. p_codes: random ones; the first that
-- no live table bears enters a private table.
-- code: ok, no_such_player, banned, too_many_tables, idempotency_key_reused, busy (each code is another table's).
CREATE FUNCTION do_open_table(p_player bigint, p_variant text, p_params text, p_options jsonb, p_seats integer,
                              p_visibility text, p_bots integer, p_bot_level integer, p_idem_key text,
                              p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text,
                              p_codes text[])
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
                       WHEN p_visibility = 'private' AND v_join IS NULL THEN 'busy' END;
        IF v_code IS NULL THEN
            INSERT INTO tables (variant, params, options, seats_n, stake, reward, multiplier_tenths, practice, node,
                                server_seed, commit, fill_at, visibility, creator_id, bots_n, bot_level, code)
            VALUES (p_variant, p_params, p_options, p_seats, 0, 0, 0, p_visibility = 'private', p_node, p_server_seed,
                    p_commit, now() + make_interval(secs => setting_int('custom_wait_ms') / 1000.0), p_visibility,
                    p_player, p_bots, p_bot_level, v_join)
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

-- Takes a seat at a table of players: at a public one by its id, at a private one by its code (the other is NULL).
-- Who has a seat there gets a ticket for it. code: ok, no_such_player, banned, no_such_table, table_over,
-- table_full (or playing), too_many_tables, idempotency_key_reused.
CREATE FUNCTION do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea,
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
                       WHEN v_table.state <> 'waiting' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                       THEN 'table_full'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables' END;
        IF v_code IS NULL THEN
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

-- As before, and the seats a creator keeps for bots are filled; what is practice by itself counts as no game alone.
CREATE OR REPLACE FUNCTION do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer,
                                          p_client_seeds bytea[])
    RETURNS TABLE (code text, practice boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
    v_practice boolean := false;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
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
        INSERT INTO seats (table_id, seat, bot_level, nickname)
        SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
        FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n FROM generate_series(0, v_table.seats_n - 1) g
              WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        v_practice := v_table.practice;
        IF v_table.people_n = 1 AND NOT v_table.practice THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

-- As before, with the points of the game for every seat, and private games are never rated.
CREATE OR REPLACE FUNCTION store_game(p_table tables, p_ending text, p_results jsonb, p_record text) RETURNS games
    LANGUAGE plpgsql AS $$
DECLARE
    v_game   games;
    v_stored bigint;
BEGIN
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                       practice, ending, moves_n, server_seed, commit, started_at, record)
    VALUES (p_table.id, p_table.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min') AND p_table.visibility <> 'private', p_table.practice,
            p_ending, (SELECT count(*) FROM journal WHERE table_id = p_table.id), p_table.server_seed, p_table.commit,
            p_table.started_at, p_record)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar, s.client_seed, r.place, r.points, r.opened,
           r.cards_left, r.place = 1 AND p_ending = 'out', r.rummy, r."left",
           game_points(p_table.variant, r.place, r.opened, r.cards_left)
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, opened boolean,
                                             cards_left smallint, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;
