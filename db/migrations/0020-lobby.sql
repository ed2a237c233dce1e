-- The lobby, and tickets that lead elsewhere than to a seat.

-- seat NULL: to watch the table; table_id NULL as well: to the lobby.
ALTER TABLE tickets ALTER COLUMN table_id DROP NOT NULL;
ALTER TABLE tickets ALTER COLUMN seat DROP NOT NULL;
ALTER TABLE tickets ADD CHECK (table_id IS NOT NULL OR seat IS NULL);

-- Uses a ticket up. p_table NULL: of the lobby. code: ok, no_such_ticket (also: of another table), ticket_used,
-- ticket_expired. seat NULL: the ticket is to watch, or to the lobby.
CREATE OR REPLACE FUNCTION do_redeem_ticket(p_ticket uuid, p_table bigint)
    RETURNS TABLE (code text, player_id bigint, seat smallint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_ticket tickets;
    v_code   text;
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
    END IF;
    RETURN QUERY SELECT v_code, v_ticket.player_id, v_ticket.seat;
END $$;

-- A ticket to the lobby. The same key gives the first answer. code: ok, no_such_player, banned,
-- idempotency_key_reused.
CREATE FUNCTION do_lobby_ticket(p_player bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid)
    RETURNS TABLE (code text, ticket uuid, expires_at timestamptz)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_answer jsonb;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR v_player.banned_at IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN FOUND THEN 'banned' ELSE 'no_such_player' END, NULL::uuid, NULL::timestamptz;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'lobby_ticket', p_body_hash);
    IF v_answer IS NULL THEN
        INSERT INTO tickets (id, player_id, expires_at)
        VALUES (p_ticket, p_player, now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0));
        SELECT jsonb_build_object('code', 'ok', 'ticket', k.id, 'expires_at', k.expires_at)
        INTO STRICT v_answer FROM tickets k WHERE k.id = p_ticket;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'lobby_ticket', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz;
END $$;

-- What everybody in the lobby sees: rooms in their order, then public tables, those that wait first. body is
-- the JSON the lobby sends; it holds nothing that is not public.
CREATE FUNCTION q_lobby(p_tables_max integer) RETURNS TABLE (kind text, id text, people bigint, body text)
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
                   'seats', t.seats_n, 'people', t.people_n, 'stake', t.stake)::text
        FROM tables t WHERE t.state IN ('waiting', 'playing')
        ORDER BY t.state = 'waiting' DESC, t.id DESC LIMIT p_tables_max) tables
$$;
