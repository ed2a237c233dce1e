-- Watching a table: who may, and how much later than it happens he sees it.

-- NULL: this table may not be watched. Pinned at the table when it is opened.
ALTER TABLE rooms ADD COLUMN watch_delay_ms integer DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000);
ALTER TABLE tables ADD COLUMN watch_delay_ms integer DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000);

CREATE FUNCTION pin_watch_delay() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    SELECT watch_delay_ms INTO NEW.watch_delay_ms FROM rooms WHERE id = NEW.room_id;
    RETURN NEW;
END $$;
CREATE TRIGGER tables_watch_delay BEFORE INSERT ON tables FOR EACH ROW WHEN (NEW.room_id IS NOT NULL)
    EXECUTE FUNCTION pin_watch_delay();

-- A ticket to watch. A private table is watched by whoever knows its code. The same key gives the first answer.
-- code: ok, no_such_player, banned, no_such_table (also: private, and the code is another), table_over,
-- not_watchable, has_seat (who plays here does not watch), idempotency_key_reused.
CREATE FUNCTION do_watch_ticket(p_player bigint, p_table bigint, p_code text, p_idem_key text, p_body_hash bytea,
                                p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, ticket uuid, expires_at timestamptz, delay_ms integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_table  tables;
    v_answer jsonb;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player' WHEN v_player.banned_at IS NOT NULL THEN 'banned' END;
    IF v_code IS NOT NULL THEN
        RETURN QUERY SELECT v_code, NULL::bigint, NULL::uuid, NULL::timestamptz, NULL::integer;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'watch', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL
                         OR (v_table.visibility = 'private' AND v_table.code IS DISTINCT FROM p_code) THEN 'no_such_table'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.watch_delay_ms IS NULL THEN 'not_watchable'
                       WHEN EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player)
                       THEN 'has_seat' END;
        IF v_code IS NULL THEN
            INSERT INTO tickets (id, table_id, player_id, expires_at)
            VALUES (p_ticket, p_table, p_player, now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0));
            SELECT jsonb_build_object('code', 'ok', 'table_id', p_table, 'ticket', k.id, 'expires_at', k.expires_at,
                                      'delay_ms', v_table.watch_delay_ms)
            INTO STRICT v_answer FROM tickets k WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'watch', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'ticket')::uuid,
                        (v_answer->>'expires_at')::timestamptz, (v_answer->>'delay_ms')::integer;
END $$;

-- As before, and how much later a watcher sees the table.
DROP FUNCTION do_redeem_ticket(uuid, bigint);
CREATE FUNCTION do_redeem_ticket(p_ticket uuid, p_table bigint)
    RETURNS TABLE (code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_ticket tickets;
    v_code   text;
    v_delay  integer;
BEGIN
    SELECT * INTO v_ticket FROM tickets WHERE id = p_ticket AND table_id IS NOT DISTINCT FROM p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_ticket.id IS NULL THEN 'no_such_ticket'
                   WHEN v_ticket.used_at IS NOT NULL THEN 'ticket_used'
                   WHEN v_ticket.expires_at <= now() THEN 'ticket_expired'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        -- Not waited for on disk: after a crash within the last moments the ticket of the same seat may serve
        -- once more until it expires, and a thousand players who come back at once do not queue for commits.
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE tickets SET used_at = now() WHERE id = p_ticket;
        IF v_ticket.seat IS NULL THEN
            SELECT watch_delay_ms INTO v_delay FROM tables WHERE id = p_table;
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, v_ticket.player_id, v_ticket.seat, coalesce(v_delay, 0);
END $$;

-- As before, without private tables, and whether a table may be watched.
CREATE OR REPLACE FUNCTION q_lobby(p_tables_max integer)
    RETURNS TABLE (kind text, id text, people bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT * FROM (
        SELECT 'room', r.id, coalesce(t.people, 0)::bigint,
               json_build_object('id', r.id, 'name', r.name, 'variant', r.variant, 'seats', r.seats_n, 'stake', r.stake,
                   'reward', r.reward, 'level_required', l.level_from, 'open', r.open, 'bots', r.bots,
                   'people', coalesce(t.people, 0), 'tables', coalesce(t.tables, 0))::text
        FROM rooms r JOIN titles l ON l.name = r.title
        LEFT JOIN (SELECT room_id, count(*) AS tables, sum(people_n) AS people FROM tables
                   WHERE state IN ('waiting', 'playing') GROUP BY room_id) t ON t.room_id = r.id
        ORDER BY r.position) rooms
    UNION ALL
    SELECT * FROM (
        SELECT 'table', t.id::text, NULL::bigint,
               json_build_object('id', t.id::text, 'room', t.room_id, 'variant', t.variant, 'state', t.state,
                   'seats', t.seats_n, 'people', t.people_n, 'bots', t.bots_n, 'stake', t.stake, 'options', t.options,
                   'watch', t.watch_delay_ms IS NOT NULL)::text
        FROM tables t WHERE t.state IN ('waiting', 'playing') AND t.visibility <> 'private'
        ORDER BY t.state = 'waiting' DESC, t.id DESC LIMIT p_tables_max) tables
$$;
