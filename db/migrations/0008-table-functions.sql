-- Nodes, seats and tickets. Locks: the table's row first, then those of the players; do_take_seat
-- is the one exception (player first, then the room's queue), and it never waits for a table.

-- A process takes its node's name for the life of the session that calls this. code: ok,
-- node_running (another process bears the name). epoch: stamp every write for a table with it.
CREATE FUNCTION do_node_start(p_name text) RETURNS TABLE (code text, epoch bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running', NULL::bigint;
        RETURN;
    END IF;
    RETURN QUERY INSERT INTO nodes AS n (name, epoch) VALUES (p_name, 1)
                 ON CONFLICT (name) DO UPDATE SET epoch = n.epoch + 1, alive_at = now()
                 RETURNING 'ok', n.epoch;
END $$;

-- After a lost connection: takes the name again if nobody else had it since. code: ok, node_running, stale_epoch.
CREATE FUNCTION do_node_resume(p_name text, p_epoch bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running';
        RETURN;
    END IF;
    UPDATE nodes SET alive_at = now() WHERE name = p_name AND epoch = p_epoch;
    IF NOT FOUND THEN
        PERFORM pg_advisory_unlock(hashtextextended('rummyd node ' || p_name, 0));
        RETURN QUERY SELECT 'stale_epoch';
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok';
END $$;

-- "Still here." code: ok, stale_epoch.
CREATE FUNCTION do_node_alive(p_name text, p_epoch bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE nodes SET alive_at = now() WHERE name = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END;
END $$;

-- Takes over the live tables of nodes whose process is gone; their epoch moves on, so that a
-- write of theirs still on its way fails. Returns the tables.
CREATE FUNCTION do_adopt_tables(p_name text, p_epoch bigint) RETURNS TABLE (table_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_node text;
    v_lock bigint;
BEGIN
    IF NOT node_holds(p_name, p_epoch) THEN
        RETURN;
    END IF;
    FOR v_node IN SELECT n.name FROM nodes n
                  WHERE n.name <> p_name
                    AND EXISTS (SELECT 1 FROM tables t WHERE t.node = n.name AND t.state IN ('waiting', 'playing'))
                  ORDER BY n.name LOOP
        v_lock := hashtextextended('rummyd node ' || v_node, 0);
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(v_lock);
        UPDATE nodes SET epoch = epoch + 1 WHERE name = v_node;
        RETURN QUERY UPDATE tables SET node = p_name
                     WHERE node = v_node AND state IN ('waiting', 'playing') RETURNING id;
    END LOOP;
END $$;

-- Whether the node still has this epoch; holds it still until the end of the transaction.
CREATE FUNCTION node_holds(p_name text, p_epoch bigint) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM nodes WHERE name = p_name AND epoch = p_epoch FOR SHARE;
    RETURN FOUND;
END $$;

-- Journal rows of any number of tables of one node, arrays of one length. May be repeated when it is not known
-- whether it was committed. Returns how many of the rows stand in the journal exactly as given: fewer than given
-- means that another row is in the way; NULL that the epoch is stale and none was written.
CREATE FUNCTION do_journal_append(p_node text, p_epoch bigint, p_tables bigint[], p_hands integer[], p_vs integer[],
                                  p_seats smallint[], p_moves bytea[], p_hashes bigint[], p_commands text[])
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    IF NOT node_holds(p_node, p_epoch) THEN
        RETURN NULL;
    END IF;
    INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command)
    SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands)
         AS r (table_id, hand_no, v, seat, move, hash, command)
    ON CONFLICT (table_id, v) DO NOTHING;
    GET DIAGNOSTICS v_n = ROW_COUNT;
    IF v_n < cardinality(p_tables) THEN
        SELECT count(*) INTO v_n
        FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands)
             AS r (table_id, hand_no, v, seat, move, hash, command)
        JOIN journal j USING (table_id, hand_no, v, seat, move, hash, command);
    END IF;
    RETURN v_n;
END $$;

-- First statement of a transaction that starts, settles or cancels more than one table: takes all
-- row locks in the one order.
CREATE FUNCTION do_lock_tables(p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM tables WHERE id = ANY (p_tables) ORDER BY id FOR NO KEY UPDATE;
    PERFORM lock_players(ARRAY(SELECT DISTINCT player_id FROM seats
                               WHERE table_id = ANY (p_tables) AND player_id IS NOT NULL));
END $$;

-- The answer first given to this key; NULL when it is new. {"code": "idempotency_key_reused"} when
-- it came with another body. The caller holds the player's row lock.
CREATE FUNCTION idempotent_answer(p_player bigint, p_key text, p_action text, p_body_hash bytea) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN action = p_action AND body_hash = p_body_hash THEN answer
                        ELSE '{"code": "idempotency_key_reused"}' END
            FROM idempotency WHERE player_id = p_player AND key = p_key);
END $$;

-- Gives the stake of a seat back, once for each time it was taken. The caller holds the locks.
CREATE FUNCTION refund_stake(p_seat seats, p_note text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_seat.stake_silver + p_seat.stake_gold = 0 THEN
        RETURN;
    END IF;
    PERFORM ledger_post('refund', 'refund:table:' || p_seat.table_id || ':take:' || p_seat.take, p_seat.table_id, p_note,
        ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_seat.stake_silver, 'refund'),
            ROW(account_purse(p_seat.player_id, 'silver'), p_seat.stake_silver, 'refund'),
            ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_seat.stake_gold, 'refund'),
            ROW(account_purse(p_seat.player_id, 'gold'), p_seat.stake_gold, 'refund')]::ledger_leg[]);
END $$;

-- Why the player may not sit in the room, or NULL.
CREATE FUNCTION seat_refusal(p_player bigint, p_room rooms) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_level  integer;
    v_silver bigint;
    v_gold   bigint;
BEGIN
    SELECT level INTO v_level FROM players WHERE id = p_player;
    IF v_level < (SELECT level_from FROM titles WHERE name = p_room.title) THEN
        RETURN 'room_locked';
    END IF;
    IF (SELECT count(*) FROM seats WHERE player_id = p_player AND live) >= setting_int('tables_per_player_max') THEN
        RETURN 'too_many_tables';
    END IF;
    SELECT balance INTO STRICT v_silver FROM accounts WHERE id = account_purse(p_player, 'silver');
    SELECT balance INTO STRICT v_gold FROM accounts WHERE id = account_purse(p_player, 'gold');
    IF v_silver + v_gold < p_room.stake THEN
        RETURN 'no_funds';
    END IF;
    RETURN NULL;
END $$;

-- The tables of the room a player could sit down at. people_n stands in the row itself, so that it is
-- looked at again after a lock.
CREATE FUNCTION joinable_tables(p_player bigint, p_room rooms, p_node text) RETURNS SETOF tables
    LANGUAGE sql STABLE AS $$
    SELECT t.*
    FROM tables t
    WHERE t.room_id = p_room.id AND t.state = 'waiting' AND t.people_n < t.seats_n
      AND t.variant = p_room.variant AND t.params = p_room.params AND t.stake = p_room.stake
      AND (t.node = p_node OR EXISTS (
              SELECT 1 FROM nodes n WHERE n.name = t.node
              AND n.alive_at > now() - make_interval(secs => setting_int('node_dead_ms') / 1000.0)))
      AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = p_player)
$$;

-- Locks the oldest of them that nobody else has locked; NULL when there is none.
CREATE FUNCTION lock_joinable_table(p_player bigint, p_room rooms, p_node text) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables;
BEGIN
    SELECT t.* INTO v_table FROM tables t
    WHERE t.id IN (SELECT j.id FROM joinable_tables(p_player, p_room, p_node) j)
      AND t.state = 'waiting' AND t.people_n < t.seats_n
    ORDER BY t.created_at, t.id LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED;
    RETURN v_table;
END $$;

-- A waiting table of the room with a free seat, locked; or a new one. People who come together shall
-- sit together: who finds none queues for the room (and for nothing else, so that no circle of waiting can
-- arise) and looks again, a few times while somebody is sitting down at the tables there are.
CREATE FUNCTION find_table(p_player bigint, p_room rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS tables
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables := lock_joinable_table(p_player, p_room, p_node);
BEGIN
    IF v_table.id IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd room ' || p_room.id, 0));
        FOR v_try IN 1..setting_int('seat_tries_max') LOOP
            v_table := lock_joinable_table(p_player, p_room, p_node);
            EXIT WHEN v_table.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM joinable_tables(p_player, p_room, p_node));
            PERFORM pg_sleep(setting_int('seat_retry_ms') / 1000.0);
        END LOOP;
    END IF;
    IF v_table.id IS NULL THEN
        INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node, server_seed,
                            commit, fill_at)
        VALUES (p_room.id, p_room.variant, p_room.params, p_room.seats_n, p_room.stake, p_room.reward,
                p_room.multiplier_tenths, p_node, p_server_seed, p_commit,
                now() + make_interval(secs => p_room.fill_wait_ms / 1000.0))
        RETURNING * INTO v_table;
    END IF;
    RETURN v_table;
END $$;

-- Seats the player at the lowest free seat of a locked table and holds the stake, silver first.
CREATE FUNCTION seat_player(p_player bigint, p_table tables) RETURNS smallint
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat   smallint;
    v_take   integer;
    v_silver bigint;
    v_gold   bigint;
BEGIN
    SELECT min(n) INTO STRICT v_seat FROM generate_series(0, p_table.seats_n - 1) n
    WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table.id AND s.seat = n);
    SELECT least(balance, p_table.stake) INTO STRICT v_silver FROM accounts WHERE id = account_purse(p_player, 'silver');
    v_gold := p_table.stake - v_silver;
    UPDATE tables SET people_n = people_n + 1, takes_n = takes_n + 1 WHERE id = p_table.id RETURNING takes_n INTO v_take;
    INSERT INTO seats (table_id, seat, player_id, nickname, avatar, stake_silver, stake_gold, take)
    SELECT p_table.id, v_seat, id, nickname, avatar, v_silver, v_gold, v_take FROM players WHERE id = p_player;
    IF p_table.stake > 0 THEN
        PERFORM ledger_post('stake', 'stake:table:' || p_table.id || ':take:' || v_take, p_table.id, '', ARRAY[
            ROW(account_purse(p_player, 'silver'), -v_silver, 'stake'),
            ROW(CASE WHEN v_silver > 0 THEN open_hold(p_table.id, p_player, 'silver') END, v_silver, 'stake'),
            ROW(account_purse(p_player, 'gold'), -v_gold, 'stake'),
            ROW(CASE WHEN v_gold > 0 THEN open_hold(p_table.id, p_player, 'gold') END, v_gold, 'stake')]::ledger_leg[]);
    END IF;
    RETURN v_seat;
END $$;

-- Seat, stake and ticket in one transaction. The same key gives the first answer again.
-- code: ok, no_such_player, banned, no_such_room, room_closed, room_locked, too_many_tables, no_funds,
-- idempotency_key_reused. repeated: this is the answer of an earlier call. node: the owner of the table.
CREATE FUNCTION do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea, p_ticket uuid,
                             p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_room   rooms;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::bigint, NULL::smallint, NULL::uuid, NULL::timestamptz, NULL::bytea,
                            NULL::text, false;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_room.id IS NULL THEN 'no_such_room'
                       WHEN NOT v_room.open THEN 'room_closed'
                       ELSE seat_refusal(p_player, v_room) END;
        IF v_code IS NULL THEN
            v_table := find_table(p_player, v_room, p_node, p_server_seed, p_commit);
            v_seat := seat_player(p_player, v_table);
            INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
            VALUES (p_ticket, v_table.id, p_player, v_seat,
                    now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0));
            SELECT jsonb_build_object('code', 'ok', 'table_id', v_table.id, 'seat', v_seat, 'ticket', p_ticket,
                                      'expires_at', k.expires_at, 'commit', encode(v_table.commit, 'hex'),
                                      'node', v_table.node)
            INTO v_answer FROM tickets k WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'take_seat', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new;
END $$;

-- Leaves a table that still waits; the stake comes back. The last one out closes it.
-- code: ok, no_such_table, no_such_seat, game_running, table_over.
CREATE FUNCTION do_leave_seat(p_player bigint, p_table bigint) RETURNS TABLE (code text)
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
                      state = CASE WHEN people_n = 1 THEN 'cancelled' ELSE state END,
                      ended_at = CASE WHEN people_n = 1 THEN now() END
    WHERE id = p_table;
    RETURN QUERY SELECT 'ok';
END $$;

-- Another ticket for a seat one has. code: ok, no_such_player, no_such_seat, table_over, idempotency_key_reused.
CREATE FUNCTION do_new_ticket(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz, commit bytea,
                   node text, repeated boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_answer := idempotent_answer(p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
        SELECT p_ticket, s.table_id, s.player_id, s.seat,
               now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0)
        FROM seats s JOIN tables t ON t.id = s.table_id
        WHERE s.table_id = p_table AND s.player_id = p_player AND t.state IN ('waiting', 'playing');
        IF FOUND THEN
            SELECT jsonb_build_object('code', 'ok', 'table_id', t.id, 'seat', k.seat, 'ticket', k.id, 'expires_at',
                                      k.expires_at, 'commit', encode(t.commit, 'hex'), 'node', t.node)
            INTO STRICT v_answer FROM tickets k JOIN tables t ON t.id = k.table_id WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', CASE
                WHEN NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player) THEN 'no_such_player'
                WHEN EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player)
                THEN 'table_over' ELSE 'no_such_seat' END);
        END IF;
        IF v_answer->>'code' <> 'no_such_player' THEN
            INSERT INTO idempotency (player_id, key, action, body_hash, answer)
            VALUES (p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash, v_answer);
        END IF;
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new;
END $$;

-- Uses a ticket up. code: ok, no_such_ticket (also: of another table), ticket_used, ticket_expired.
CREATE FUNCTION do_redeem_ticket(p_ticket uuid, p_table bigint) RETURNS TABLE (code text, player_id bigint, seat smallint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_ticket tickets;
    v_code   text;
BEGIN
    SELECT * INTO v_ticket FROM tickets WHERE id = p_ticket AND table_id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_ticket.id IS NULL THEN 'no_such_ticket'
                   WHEN v_ticket.used_at IS NOT NULL THEN 'ticket_used'
                   WHEN v_ticket.expires_at <= now() THEN 'ticket_expired'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        -- Not waited for on disk: after a crash within the last moments the ticket of the same seat may serve
        -- once more until it expires, and a thousand players who come back at once do not queue for commits.
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE tickets SET used_at = now() WHERE id = p_ticket;
    END IF;
    RETURN QUERY SELECT v_code, v_ticket.player_id, v_ticket.seat;
END $$;

-- Everything about the seats of a table, in seat order.
CREATE FUNCTION q_seats(p_table bigint)
    RETURNS TABLE (seat smallint, player_id bigint, bot_level smallint, nickname text, avatar text, client_seed bytea,
                   stake_silver bigint, stake_gold bigint)
    LANGUAGE sql STABLE AS $$
    SELECT seat, player_id, bot_level, nickname, avatar, client_seed, stake_silver, stake_gold
    FROM seats WHERE table_id = p_table ORDER BY seat
$$;
