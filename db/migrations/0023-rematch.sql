-- Who is seated with whom: a rematch of the same people, nobody with one he has blocked, people of like rating where
-- there is a choice, and a person in the place of a bot while the game has not begun.

ALTER TABLE tables ADD COLUMN rematch_of bigint REFERENCES tables (id);
CREATE UNIQUE INDEX tables_rematch ON tables (rematch_of) WHERE rematch_of IS NOT NULL;

INSERT INTO settings (name, value, about) VALUES
    ('rematch_offer_ms', '120000', 'a table that has ended may be played again so long'),
    ('rematch_wait_ms',  '15000',  'a rematch waits so long for the others, then for anybody'),
    ('rating_band',      '1000',   'ratings that differ by less than this are alike; the older table goes first among them');

-- Whether one of the people at the table and the player are not to meet.
CREATE FUNCTION is_barred(p_player bigint, p_table bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM seats s JOIN player_bars b ON b.blocked
            AND ((b.player_id = p_player AND b.other_id = s.player_id) OR (b.player_id = s.player_id AND b.other_id = p_player))
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL)
$$;

-- As before, without the rematches of others (after a while they are anybody's) and without tables at which
-- somebody sits whom he is not to meet.
CREATE OR REPLACE FUNCTION joinable_tables(p_player bigint, p_room rooms, p_node text) RETURNS SETOF tables
    LANGUAGE sql STABLE AS $$
    SELECT t.*
    FROM tables t
    WHERE t.room_id = p_room.id AND t.state = 'waiting' AND t.people_n < t.seats_n
      AND t.variant = p_room.variant AND t.params = p_room.params AND t.stake = p_room.stake
      AND (t.rematch_of IS NULL OR t.fill_at < now())
      AND (t.node = p_node OR EXISTS (
              SELECT 1 FROM nodes n WHERE n.name = t.node
              AND n.alive_at > now() - make_interval(secs => setting_int('node_dead_ms') / 1000.0)))
      AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = p_player)
      AND NOT is_barred(p_player, t.id)
$$;

-- How many bands a player's rating is away from that of the people at a table; who has none is in the middle.
CREATE FUNCTION rating_bands(p_player bigint, p_table tables) RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT (abs(coalesce((SELECT r.rating FROM ratings r
                          WHERE r.player_id = p_player AND r.variant = p_table.variant AND r.period = 'all'), m.middle)
                - coalesce((SELECT avg(coalesce(r.rating, m.middle))::bigint FROM seats s
                            LEFT JOIN ratings r ON r.player_id = s.player_id AND r.variant = p_table.variant AND r.period = 'all'
                            WHERE s.table_id = p_table.id AND s.player_id IS NOT NULL), m.middle))
            / setting_int('rating_band'))::integer
    FROM (SELECT setting_int('rating_scale') / 2 AS middle) m
$$;

-- Locks the one of them that nobody else has locked whose people are most like the player, the oldest among
-- equals; NULL when there is none.
CREATE OR REPLACE FUNCTION lock_joinable_table(p_player bigint, p_room rooms, p_node text) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables;
BEGIN
    SELECT t.* INTO v_table FROM tables t
    WHERE t.id IN (SELECT j.id FROM joinable_tables(p_player, p_room, p_node) j)
      AND t.state = 'waiting' AND t.people_n < t.seats_n
    ORDER BY rating_bands(p_player, t), t.created_at, t.id LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    RETURN v_table;
END $$;

-- Opens the rematch of a table that has ended: of the same kind, by the rules its room has now.
CREATE FUNCTION open_rematch(p_table tables, p_room rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_new tables := p_table;
BEGIN
    INSERT INTO tables (room_id, variant, params, options, seats_n, stake, reward, multiplier_tenths, practice, node,
                        server_seed, commit, fill_at, visibility, creator_id, bots_n, bot_level, code, watch_delay_ms,
                        rematch_of)
    VALUES (p_table.room_id, p_table.variant, p_table.params, p_table.options, p_table.seats_n,
            coalesce(p_room.stake, p_table.stake), coalesce(p_room.reward, p_table.reward),
            coalesce(p_room.multiplier_tenths, p_table.multiplier_tenths), p_table.visibility = 'private', p_node,
            p_server_seed, p_commit, now() + make_interval(secs => setting_int('rematch_wait_ms') / 1000.0),
            p_table.visibility, p_table.creator_id, p_table.bots_n, p_table.bot_level, p_table.code,
            p_table.watch_delay_ms, p_table.id)
    RETURNING * INTO v_new;
    RETURN v_new;
END $$;

-- A seat at the rematch of a table one sat at; the first who asks opens it. Who has a seat there gets a ticket. When the
-- last of the people has come it waits no more. old_seat: his at the ended table. code: ok, no_such_player, banned,
-- no_such_table, no_such_seat, game_running, rematch_over (too late, begun or full), room_closed, room_locked,
-- too_many_tables, no_funds, blocked (sits with one whom he is not to meet), busy, idempotency_key_reused.
CREATE FUNCTION do_rematch(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid,
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
                       WHEN is_barred(p_player, v_table.id) THEN 'blocked' END;
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

-- As before, and while the game has not begun a person takes the place of a bot when no other seat is free.
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
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables' END;
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
