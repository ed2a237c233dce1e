-- The whole schema, as the migrations in db/migrations yield it. Made by scripts/dump-schema; to be read,
-- not edited. The rows that come with it (levels, rooms, settings) stand in db/migrations/0001-data.sql.
SET check_function_bodies = false;
SET client_min_messages = warning;


CREATE TYPE public.ledger_leg AS (
	account_id bigint,
	amount bigint,
	reason text
);

CREATE TYPE public.session_answer AS (
	code text,
	id bigint,
	nickname text,
	avatar text,
	kind text,
	level integer,
	title text,
	clover_points bigint,
	level_points bigint,
	level_points_needed bigint,
	rating integer,
	rating_games bigint,
	created_at bigint
);

CREATE FUNCTION public.account_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'hold' AND table_id = p_table AND player_id = p_player AND currency = p_currency);
END $$;

CREATE FUNCTION public.account_house(p_cause text, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'house' AND cause = p_cause AND currency = p_currency);
END $$;

CREATE FUNCTION public.account_purse(p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = p_player AND currency = p_currency);
END $$;

CREATE FUNCTION public.add_clover(p_player bigint, p_points bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_level  integer;
    v_points bigint;
    v_needed bigint;
    v_reward bigint;
    v_gold   bigint := 0;
BEGIN
    SELECT level, level_points + p_points INTO STRICT v_level, v_points FROM players WHERE id = p_player;
    LOOP
        SELECT points_needed INTO STRICT v_needed FROM levels WHERE level = v_level;
        EXIT WHEN v_needed IS NULL OR v_points < v_needed;
        v_points := v_points - v_needed;
        v_level := v_level + 1;
        SELECT reward_gold INTO STRICT v_reward FROM levels WHERE level = v_level;
        IF v_reward > 0 THEN
            PERFORM ledger_post('level', 'level:' || p_player || ':' || v_level, NULL, '',
                                credit_legs(p_player, 'gold', v_reward, 'level'));
            v_gold := v_gold + v_reward;
        END IF;
    END LOOP;
    UPDATE players SET level = v_level, level_points = v_points, clover_points = clover_points + p_points
    WHERE id = p_player;
    RETURN v_gold;
END $$;

CREATE FUNCTION public.add_rating(p_player bigint, p_variant text, p_at timestamp with time zone, p_points bigint, p_won boolean, p_rummy boolean) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, rating_of(p_points, 1)
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, rating = rating_of(r.points + excluded.points, r.games + 1);
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

CREATE FUNCTION public.clover_of(p_game_points integer, p_rummy boolean, p_multiplier_tenths integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_game_points + CASE WHEN p_rummy THEN setting_int('rummy_clover_points') ELSE 0 END) * p_multiplier_tenths / 10);
END $$;

CREATE FUNCTION public.credit_legs(p_player bigint, p_currency text, p_amount bigint, p_cause text) RETURNS public.ledger_leg[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_purse bigint := account_purse(p_player, p_currency);
    v_lost  bigint := 0;
BEGIN
    IF p_currency = 'silver' THEN
        v_lost := silver_over_cap(p_player, p_amount);
    END IF;
    RETURN ARRAY[
        ROW(account_house(p_cause, p_currency), -p_amount, p_cause),
        ROW(v_purse, p_amount, p_cause),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(account_house('over_cap', p_currency), v_lost, 'over_cap')]::ledger_leg[];
END $$;

CREATE FUNCTION public.daily_amount(p_streak integer, p_level integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT setting_int('daily_base')
                   + setting_int('daily_streak_step') * (greatest(1, least(p_streak, setting_int('daily_streak_max'))) - 1)
                   + setting_int('daily_level_step') * (p_level - 1));
END $$;

CREATE FUNCTION public.do_adopt_tables(p_name text, p_epoch bigint) RETURNS TABLE(table_id bigint)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_cancel_table(p_table bigint, p_epoch bigint, p_reason text) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_seat  seats;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'cancelled' THEN 'already_done'
                   WHEN v_table.state = 'finished' THEN 'table_over'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table AND player_id IS NOT NULL ORDER BY seat LOOP
            PERFORM refund_stake(v_seat, p_reason);
            IF v_table.alone_day IS NOT NULL THEN
                UPDATE alone_games SET games = games - 1
                WHERE player_id = v_seat.player_id AND day = v_table.alone_day AND games > 0;
            END IF;
        END LOOP;
        DELETE FROM journal WHERE table_id = p_table;
        UPDATE seats SET live = false WHERE table_id = p_table;
        UPDATE tables SET state = 'cancelled', ended_at = now() WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

CREATE FUNCTION public.do_change_me(p_player bigint, p_nickname text, p_avatar text) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE players SET nickname = coalesce(p_nickname, nickname), avatar = coalesce(p_avatar, avatar)
    WHERE id = p_player AND deleted_at IS NULL;
    RETURN session_answer(CASE WHEN FOUND THEN 'ok' ELSE 'no_such_player' END, p_player);
END $$;

CREATE FUNCTION public.do_create_player(p_kind text, p_nickname text, p_avatar text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_player bigint;
BEGIN
    INSERT INTO players (kind, nickname, avatar) VALUES (p_kind, p_nickname, p_avatar) RETURNING id INTO v_player;
    INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'silver', v_player), ('purse', 'gold', v_player);
    IF setting_int('welcome_silver') + setting_int('welcome_gold') > 0 THEN
        PERFORM ledger_post('welcome', 'welcome:' || v_player, NULL, '',
            credit_legs(v_player, 'silver', setting_int('welcome_silver'), 'welcome')
            || credit_legs(v_player, 'gold', setting_int('welcome_gold'), 'welcome'));
    END IF;
    RETURN v_player;
END $$;

CREATE FUNCTION public.do_credit(p_player bigint, p_currency text, p_amount bigint, p_cause text, p_key text, p_note text) RETURNS TABLE(code text, lost bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_legs ledger_leg[];
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF account_purse(p_player, p_currency) IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', 0::bigint;
        RETURN;
    END IF;
    IF p_amount = 0 OR EXISTS (SELECT 1 FROM transfers WHERE key = p_key) THEN
        RETURN QUERY SELECT CASE WHEN p_amount = 0 THEN 'ok' ELSE 'already_done' END, 0::bigint;
        RETURN;
    END IF;
    v_legs := credit_legs(p_player, p_currency, p_amount, p_cause);
    RETURN QUERY SELECT CASE WHEN ledger_post(p_cause, p_key, NULL, p_note, v_legs) IS NULL
                             THEN 'already_done' ELSE 'ok' END, (v_legs[4]).amount;
END $$;

CREATE FUNCTION public.do_daily_bonus(p_players bigint[], p_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_today date := local_day(p_at);
    v_due   bigint[] := ARRAY(SELECT player_id FROM player_days
                              WHERE player_id = ANY (p_players) AND bonus_day < v_today);
BEGIN
    IF cardinality(v_due) = 0 THEN
        RETURN 0;
    END IF;
    PERFORM lock_players(v_due);
    -- Who waited for the lock may find it done.
    v_due := ARRAY(SELECT player_id FROM player_days
                   WHERE player_id = ANY (v_due) AND bonus_day < v_today FOR NO KEY UPDATE);
    RETURN post_daily(v_due, v_today);
END $$;

CREATE FUNCTION public.do_enter_guest(p_device_hash bytea, p_nickname text, p_avatar text, p_token_hash bytea, p_family uuid) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT g.code, g.player_id INTO STRICT v_code, v_player FROM do_guest(p_device_hash, p_nickname, p_avatar) g;
    IF v_code = 'ok' THEN
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_enter_login(p_email text, p_player bigint, p_token_hash bytea, p_family uuid) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM do_login_ok(p_email);
    PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    RETURN session_answer('ok', p_player);
END $$;

CREATE FUNCTION public.do_enter_refresh(p_token_hash bytea, p_new_hash bytea) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player FROM do_refresh_rotate(p_token_hash, p_new_hash) r;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_enter_registered(p_email text, p_password_hash text, p_nickname text, p_avatar text, p_token_hash bytea, p_family uuid) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT r.code, r.player_id INTO STRICT v_code, v_player
    FROM do_register(p_email, p_password_hash, p_nickname, p_avatar) r;
    IF v_code = 'ok' THEN
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

CREATE FUNCTION public.do_guest(p_device_hash bytea, p_nickname text, p_avatar text) RETURNS TABLE(code text, player_id bigint, role text, created boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
    v_new    boolean := false;
BEGIN
    -- Two first calls of one device at once: the second waits here and finds the first's player.
    PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_device_hash, 'hex'), 0));
    SELECT g.player_id INTO v_player FROM guest_devices g JOIN players p ON p.id = g.player_id
    WHERE g.device_hash = p_device_hash AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        DELETE FROM guest_devices WHERE device_hash = p_device_hash;
        v_player := do_create_player('guest', p_nickname, p_avatar);
        INSERT INTO guest_devices (device_hash, player_id) VALUES (p_device_hash, v_player);
        v_new := true;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role, v_new
                 FROM players p WHERE p.id = v_player;
END $$;

CREATE FUNCTION public.do_journal_append(p_node text, p_epoch bigint, p_tables bigint[], p_hands integer[], p_vs integer[], p_seats smallint[], p_moves bytea[], p_hashes bigint[], p_commands text[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_leave_seat(p_player bigint, p_table bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_lobby_ticket(p_player bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, ticket uuid, expires_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_lock_tables(p_tables bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM tables WHERE id = ANY (p_tables) ORDER BY id FOR NO KEY UPDATE;
    PERFORM lock_players(ARRAY(SELECT DISTINCT player_id FROM seats
                               WHERE table_id = ANY (p_tables) AND player_id IS NOT NULL));
END $$;

CREATE FUNCTION public.do_login_failed(p_email text, p_address text) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO login_failures (subject) VALUES ('account:' || lower(p_email)), ('address:' || p_address)
$$;

CREATE FUNCTION public.do_login_ok(p_email text) RETURNS void
    LANGUAGE sql
    AS $$
    DELETE FROM login_failures WHERE subject = 'account:' || lower(p_email)
$$;

CREATE FUNCTION public.do_new_ticket(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_node_alive(p_name text, p_epoch bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE nodes SET alive_at = now() WHERE name = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END;
END $$;

CREATE FUNCTION public.do_node_resume(p_name text, p_epoch bigint) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_node_start(p_name text) RETURNS TABLE(code text, epoch bigint)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_purge(p_max integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_total bigint := 0;
    v_n     bigint;
BEGIN
    DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency
        WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM login_failures WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM login_failures
        WHERE at < now() - make_interval(secs => setting_int('login_window_s')) LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM refresh_tokens WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refresh_tokens WHERE expires_at < now() LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_total := v_total + v_n;
    DELETE FROM tickets WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM tickets WHERE expires_at < now() - make_interval(secs => setting_int('idempotency_ttl_s'))
        LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_total + v_n;
END $$;

CREATE FUNCTION public.do_redeem_ticket(p_ticket uuid, p_table bigint) RETURNS TABLE(code text, player_id bigint, seat smallint)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.do_refresh_issue(p_player bigint, p_token_hash bytea, p_family uuid) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO refresh_tokens (token_hash, family, player_id, expires_at)
    VALUES (p_token_hash, p_family, p_player, now() + make_interval(secs => setting_int('refresh_ttl_s')))
$$;

CREATE FUNCTION public.do_refresh_revoke(p_token_hash bytea) RETURNS TABLE(code text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    UPDATE refresh_tokens SET revoked_at = now()
    WHERE family = (SELECT family FROM refresh_tokens WHERE token_hash = p_token_hash) AND revoked_at IS NULL;
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM refresh_tokens WHERE token_hash = p_token_hash)
                             THEN 'ok' ELSE 'token_unknown' END;
END $$;

CREATE FUNCTION public.do_refresh_rotate(p_token_hash bytea, p_new_hash bytea) RETURNS TABLE(code text, player_id bigint, role text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_token  refresh_tokens;
    v_player players;
    v_code   text := 'ok';
BEGIN
    SELECT * INTO v_token FROM refresh_tokens WHERE token_hash = p_token_hash FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'token_unknown', NULL::bigint, NULL::text;
        RETURN;
    END IF;
    SELECT * INTO STRICT v_player FROM players WHERE id = v_token.player_id;
    IF v_token.revoked_at IS NOT NULL THEN
        v_code := 'token_revoked';
    ELSIF v_token.used_at IS NOT NULL THEN
        UPDATE refresh_tokens SET revoked_at = now() WHERE family = v_token.family AND revoked_at IS NULL;
        v_code := 'token_reused';
    ELSIF v_token.expires_at <= now() THEN
        v_code := 'token_expired';
    ELSIF v_player.banned_at IS NOT NULL OR v_player.deleted_at IS NOT NULL THEN
        v_code := 'banned';
    ELSE
        UPDATE refresh_tokens SET used_at = now() WHERE token_hash = p_token_hash;
        PERFORM do_refresh_issue(v_token.player_id, p_new_hash, v_token.family);
    END IF;
    RETURN QUERY SELECT v_code, v_token.player_id, v_player.role;
END $$;

CREATE FUNCTION public.do_register(p_email text, p_password_hash text, p_nickname text, p_avatar text) RETURNS TABLE(code text, player_id bigint, role text)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
BEGIN
    BEGIN
        v_player := do_create_player('registered', p_nickname, p_avatar);
        INSERT INTO credentials (player_id, email, password_hash) VALUES (v_player, lower(p_email), p_password_hash);
    EXCEPTION WHEN unique_violation THEN
        RETURN QUERY SELECT 'email_taken', NULL::bigint, NULL::text;
        RETURN;
    END;
    RETURN QUERY SELECT 'ok', p.id, p.role FROM players p WHERE p.id = v_player;
END $$;

CREATE FUNCTION public.do_settle_table(p_table bigint, p_epoch bigint, p_ending text, p_results jsonb, p_record text) RETURNS TABLE(code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer, game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint, level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
DECLARE
    v_table  tables;
    v_game   games;
    v_result game_players;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'finished' THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' THEN 'not_playing' END;
    IF v_code IS NOT NULL AND v_code <> 'already_done' THEN
        code := v_code;
        RETURN NEXT;
        RETURN;
    END IF;
    IF v_code IS NULL THEN
        PERFORM do_lock_tables(ARRAY[p_table]);
        v_game := store_game(v_table, p_ending, p_results, p_record);
        -- Levels first: the reward then meets the cap of the level this very game has reached.
        FOR v_result IN SELECT * FROM game_players g WHERE g.game_id = v_game.id AND g.player_id IS NOT NULL
                        ORDER BY g.player_id LOOP
            PERFORM settle_points(v_game, v_result);
        END LOOP;
        IF NOT v_table.practice THEN
            PERFORM settle_chips(v_table, v_game.id);
        END IF;
        DELETE FROM journal j WHERE j.table_id = p_table;
        UPDATE seats s SET live = false WHERE s.table_id = p_table;
        UPDATE tables SET state = 'finished', ended_at = v_game.ended_at WHERE id = p_table;
    END IF;
    RETURN QUERY SELECT * FROM q_settled(p_table, coalesce(v_code, 'ok'));
END $$;

CREATE FUNCTION public.do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer, p_client_seeds bytea[]) RETURNS TABLE(code text, practice boolean)
    LANGUAGE plpgsql
    AS $$
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
                   WHEN v_table.people_n < v_table.seats_n AND NOT (SELECT bots FROM rooms WHERE id = v_table.room_id)
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
        IF v_table.people_n = 1 THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

CREATE FUNCTION public.do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea, p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text) RETURNS TABLE(code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE public.rooms (
    id text NOT NULL,
    "position" smallint NOT NULL,
    name text NOT NULL,
    variant text NOT NULL,
    params text DEFAULT ''::text NOT NULL,
    seats_n smallint NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    title text NOT NULL,
    bots boolean NOT NULL,
    bot_level smallint NOT NULL,
    fill_wait_ms integer NOT NULL,
    open boolean NOT NULL,
    CONSTRAINT rooms_bot_level_check CHECK (((bot_level >= 1) AND (bot_level <= 3))),
    CONSTRAINT rooms_fill_wait_ms_check CHECK ((fill_wait_ms >= 0)),
    CONSTRAINT rooms_multiplier_tenths_check CHECK ((multiplier_tenths >= 0)),
    CONSTRAINT rooms_reward_check CHECK ((reward >= 0)),
    CONSTRAINT rooms_seats_n_check CHECK (((seats_n >= 2) AND (seats_n <= 6))),
    CONSTRAINT rooms_stake_check CHECK ((stake >= 0))
);

CREATE TABLE public.tables (
    id bigint NOT NULL,
    room_id text NOT NULL,
    variant text NOT NULL,
    params text NOT NULL,
    seats_n smallint NOT NULL,
    people_n smallint DEFAULT 0 NOT NULL,
    takes_n integer DEFAULT 0 NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    practice boolean DEFAULT false NOT NULL,
    alone_day date,
    node text NOT NULL,
    hand_no integer DEFAULT 1 NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    fill_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT tables_check CHECK (((people_n >= 0) AND (people_n <= seats_n))),
    CONSTRAINT tables_commit_check CHECK ((octet_length(commit) = 32)),
    CONSTRAINT tables_hand_no_check CHECK ((hand_no > 0)),
    CONSTRAINT tables_multiplier_tenths_check CHECK ((multiplier_tenths >= 0)),
    CONSTRAINT tables_reward_check CHECK ((reward >= 0)),
    CONSTRAINT tables_seats_n_check CHECK (((seats_n >= 2) AND (seats_n <= 6))),
    CONSTRAINT tables_server_seed_check CHECK ((octet_length(server_seed) = 32)),
    CONSTRAINT tables_stake_check CHECK ((stake >= 0)),
    CONSTRAINT tables_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'playing'::text, 'finished'::text, 'cancelled'::text])))
);

CREATE FUNCTION public.find_table(p_player bigint, p_room public.rooms, p_node text, p_server_seed bytea, p_commit bytea) RETURNS public.tables
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.game_pays_daily() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;

CREATE FUNCTION public.game_points(p_variant text, p_place integer, p_opened boolean, p_cards_left integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT least(setting_int('game_points_max'),
                         coalesce((SELECT points FROM place_points WHERE variant = p_variant AND place = p_place), 0)
                         + CASE WHEN p_opened THEN setting_int('opened_points') ELSE 0 END
                         + greatest(0, setting_int('thrown_points') - p_cards_left))::integer);
END $$;

CREATE FUNCTION public.idempotent_answer(p_player bigint, p_key text, p_action text, p_body_hash bytea) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT CASE WHEN action = p_action AND body_hash = p_body_hash THEN answer
                        ELSE '{"code": "idempotency_key_reused"}' END
            FROM idempotency WHERE player_id = p_player AND key = p_key);
END $$;

CREATE FUNCTION public.joinable_tables(p_player bigint, p_room public.rooms, p_node text) RETURNS SETOF public.tables
    LANGUAGE sql STABLE
    AS $$
    SELECT t.*
    FROM tables t
    WHERE t.room_id = p_room.id AND t.state = 'waiting' AND t.people_n < t.seats_n
      AND t.variant = p_room.variant AND t.params = p_room.params AND t.stake = p_room.stake
      AND (t.node = p_node OR EXISTS (
              SELECT 1 FROM nodes n WHERE n.name = t.node
              AND n.alive_at > now() - make_interval(secs => setting_int('node_dead_ms') / 1000.0)))
      AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = p_player)
$$;

CREATE FUNCTION public.ledger_account_guard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.kind <> 'house' AND NEW.balance IS NULL THEN
            NEW.balance := 0;
        END IF;
        IF NEW.balance <> 0 THEN
            RAISE EXCEPTION 'ledger: an account starts empty' USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF pg_trigger_depth() < 2
       OR (NEW.id, NEW.kind, NEW.currency, NEW.player_id, NEW.table_id, NEW.cause)
          IS DISTINCT FROM (OLD.id, OLD.kind, OLD.currency, OLD.player_id, OLD.table_id, OLD.cause) THEN
        RAISE EXCEPTION 'ledger: a balance changes only by a posting' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION public.ledger_balance_posted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_balance bigint;
    v_posted  bigint;
BEGIN
    SELECT a.balance, coalesce((SELECT p.balance_after FROM postings p WHERE p.account_id = a.id
                                ORDER BY p.id DESC LIMIT 1), 0)
    INTO v_balance, v_posted
    FROM accounts a WHERE a.id = NEW.id;
    IF v_balance IS NOT NULL AND v_balance <> v_posted THEN
        RAISE EXCEPTION 'ledger: account % has a balance of % without a posting', NEW.id, v_balance
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.ledger_post(p_cause text, p_key text, p_table bigint, p_note text, p_legs public.ledger_leg[]) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO transfers (cause, key, table_id, note) VALUES (p_cause, p_key, p_table, p_note)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO v_id;
    IF v_id IS NOT NULL THEN
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT v_id, l.account_id, l.amount, l.reason
        FROM unnest(p_legs) WITH ORDINALITY AS l (account_id, amount, reason, n)
        WHERE l.amount <> 0
        ORDER BY l.n;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION public.ledger_posting_apply() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE accounts SET balance = balance + NEW.amount
    WHERE id = NEW.account_id AND kind <> 'house'
    RETURNING balance INTO NEW.balance_after;
    IF NOT FOUND THEN
        NEW.balance_after := NULL; -- a house account, or none (the foreign key refuses that)
    END IF;
    NEW.id := nextval('postings_id'); -- not before the lock is held
    RETURN NEW;
END $$;

CREATE FUNCTION public.ledger_refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is not allowed', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION public.ledger_transfer_balanced() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_transfer bigint;
BEGIN
    SELECT p.transfer_id INTO v_transfer
    FROM added p JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency
    HAVING sum(p.amount) <> 0
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    SELECT n.transfer_id INTO v_transfer
    FROM (SELECT transfer_id, count(*) AS added_n FROM added GROUP BY transfer_id) n
    WHERE n.added_n <> (SELECT count(*) FROM postings p WHERE p.transfer_id = n.transfer_id)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger: transfer % has its postings already', v_transfer USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.ledger_transfer_posted() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM postings WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger: transfer % has no postings', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION public.local_day(p_at timestamp with time zone) RETURNS date
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'))::date);
END $$;

CREATE FUNCTION public.lock_joinable_table(p_player bigint, p_room public.rooms, p_node text) RETURNS public.tables
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.lock_players(p_players bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM players WHERE id = ANY (p_players) ORDER BY id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION public.node_holds(p_name text, p_epoch bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM nodes WHERE name = p_name AND epoch = p_epoch FOR SHARE;
    RETURN FOUND;
END $$;

CREATE FUNCTION public.note_played(p_player bigint, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = s.streak, streak_best = greatest(d.streak_best, s.streak)
    FROM (SELECT player_id, streak_before(o, v_day) + 1 AS streak FROM player_days o WHERE o.player_id = p_player) s
    WHERE d.player_id = s.player_id AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

CREATE FUNCTION public.open_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_id bigint := account_hold(p_table, p_player, p_currency);
BEGIN
    IF v_id IS NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id) VALUES ('hold', p_currency, p_player, p_table)
        RETURNING id INTO v_id;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION public.player_days_born() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO player_days (player_id, bonus_day) VALUES (NEW.id, local_day(NEW.created_at));
    RETURN NULL;
END $$;

CREATE FUNCTION public.player_played() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM note_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;

CREATE FUNCTION public.post_daily(p_players bigint[], p_today date) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_n bigint;
BEGIN
    WITH due AS (
        SELECT p.id, silver_owned(p.id) AS owned, l.silver_cap, g::date AS day,
               daily_amount(streak_before(d, g::date), p.level) AS bonus
        FROM player_days d JOIN players p ON p.id = d.player_id JOIN levels l ON l.level = p.level
        CROSS JOIN generate_series(d.bonus_day + 1, p_today, interval '1 day') g
        WHERE d.player_id = ANY (p_players) AND p.deleted_at IS NULL
    ), summed AS (
        SELECT *, sum(bonus) OVER (PARTITION BY id ORDER BY day) AS total FROM due WHERE bonus > 0
    ), known AS (
        SELECT id, day, bonus, bonus - (greatest(owned, least(silver_cap, owned + total))
                                        - greatest(owned, least(silver_cap, owned + total - bonus))) AS lost
        FROM summed
    ), headed AS (
        INSERT INTO transfers (cause, key)
        SELECT 'daily', 'daily:' || id || ':' || day FROM known ORDER BY id, day
        RETURNING id, key
    ), posted AS (
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT h.id, x.account, x.amount, x.reason
        FROM known k JOIN headed h ON h.key = 'daily:' || k.id || ':' || k.day
        CROSS JOIN LATERAL (VALUES
            (1, account_house('daily', 'silver'), -k.bonus, 'daily'),
            (2, account_purse(k.id, 'silver'), k.bonus, 'daily'),
            (3, account_purse(k.id, 'silver'), -k.lost, 'over_cap'),
            (4, account_house('over_cap', 'silver'), k.lost, 'over_cap')) AS x (n, account, amount, reason)
        WHERE x.amount <> 0
        ORDER BY k.id, k.day, x.n
    )
    SELECT count(*) INTO v_n FROM known;
    UPDATE player_days SET bonus_day = p_today WHERE player_id = ANY (p_players) AND bonus_day < p_today;
    RETURN v_n;
END $$;

CREATE FUNCTION public.q_bonus(p_player bigint, p_at timestamp with time zone) RETURNS TABLE(due boolean, streak integer, played_today boolean, today_amount bigint, today_lost bigint, tomorrow_amount bigint, tomorrow_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    SELECT d.bonus_day < t.today, greatest(streak_before(d, t.today), streak_before(d, t.today + 1)),
           coalesce(d.played_day = t.today, false), b.amount, b.lost,
           daily_amount(streak_before(d, t.today + 1), p.level),
           (t.today + 1)::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone')
    FROM player_days d JOIN players p ON p.id = d.player_id
    CROSS JOIN (SELECT local_day(p_at) AS today) t
    LEFT JOIN LATERAL (
        SELECT sum(o.amount) FILTER (WHERE o.reason = 'daily')::bigint AS amount,
               coalesce(-sum(o.amount) FILTER (WHERE o.reason = 'over_cap'), 0)::bigint AS lost
        FROM transfers f JOIN postings o ON o.transfer_id = f.id
        WHERE f.key = 'daily:' || p_player || ':' || t.today AND o.account_id = account_purse(p_player, 'silver')) b
        ON b.amount IS NOT NULL
    WHERE d.player_id = p_player
$$;

CREATE FUNCTION public.q_ledger_check() RETURNS TABLE(problem text, subject text, detail text)
    LANGUAGE sql STABLE
    AS $$
    SELECT 'unbalanced_transfer', 'transfer ' || p.transfer_id, 'sum ' || sum(p.amount) || ' ' || a.currency
    FROM postings p JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency HAVING sum(p.amount) <> 0
    UNION ALL
    SELECT 'transfer_without_postings', 'transfer ' || t.id, t.key
    FROM transfers t WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.transfer_id = t.id)
    UNION ALL
    SELECT 'balance_differs', 'account ' || a.id,
           'stored ' || a.balance || ', postings ' || coalesce(s.total, 0)
    FROM accounts a LEFT JOIN (SELECT account_id, sum(amount) AS total FROM postings GROUP BY account_id) s
         ON s.account_id = a.id
    WHERE a.kind <> 'house' AND a.balance <> coalesce(s.total, 0)
    UNION ALL
    SELECT 'balance_after_differs', 'posting ' || p.id, 'stored ' || coalesce(p.balance_after::text, 'none') || ', sum ' || p.total
    FROM (SELECT q.id, q.balance_after, sum(q.amount) OVER (PARTITION BY q.account_id ORDER BY q.id) AS total
          FROM postings q JOIN accounts b ON b.id = q.account_id WHERE b.kind <> 'house') p
    WHERE p.balance_after IS DISTINCT FROM p.total
    UNION ALL
    SELECT 'negative_balance', 'account ' || a.id, a.balance::text
    FROM accounts a WHERE a.balance < 0
    UNION ALL
    SELECT 'hold_without_live_table', 'account ' || a.id, 'table ' || a.table_id || ' holds ' || a.balance || ' ' || a.currency
    FROM accounts a JOIN tables t ON t.id = a.table_id
    WHERE a.kind = 'hold' AND a.balance <> 0 AND (t.state NOT IN ('waiting', 'playing')
          OR NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = a.table_id AND s.player_id = a.player_id))
    UNION ALL
    SELECT 'seat_without_hold', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || x.stake || ' ' || x.currency || ', held ' || coalesce(a.balance, 0)
    FROM seats s JOIN tables t ON t.id = s.table_id
    CROSS JOIN LATERAL (VALUES ('silver', s.stake_silver), ('gold', s.stake_gold)) AS x (currency, stake)
    LEFT JOIN accounts a ON a.kind = 'hold' AND a.table_id = s.table_id AND a.player_id = s.player_id
                         AND a.currency = x.currency
    WHERE t.state IN ('waiting', 'playing') AND s.player_id IS NOT NULL AND x.stake <> coalesce(a.balance, 0)
    UNION ALL
    SELECT 'seat_stake_differs', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || s.stake_silver + s.stake_gold || ', of the table ' || t.stake
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE t.state IN ('waiting', 'playing') AND s.player_id IS NOT NULL
      AND s.stake_silver + s.stake_gold <> CASE WHEN t.practice THEN 0 ELSE t.stake END
    UNION ALL
    SELECT 'seat_live_differs', 'table ' || t.id || ' seat ' || s.seat, 'table is ' || t.state
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE s.live <> (t.state IN ('waiting', 'playing'))
    UNION ALL
    SELECT 'player_without_purse', 'player ' || p.id, c.currency
    FROM players p CROSS JOIN (VALUES ('silver'), ('gold')) AS c (currency)
    WHERE account_purse(p.id, c.currency) IS NULL
    ORDER BY 1, 2
$$;

CREATE FUNCTION public.q_lobby(p_tables_max integer) RETURNS TABLE(kind text, id text, people bigint, body text)
    LANGUAGE sql STABLE
    AS $$
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

CREATE FUNCTION public.q_login(p_email text, p_address text) RETURNS TABLE(code text, player_id bigint, role text, password_hash text, retry_s integer)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
DECLARE
    v_window  interval := make_interval(secs => setting_int('login_window_s'));
    v_account bigint;
    v_address bigint;
    v_since   timestamptz;
BEGIN
    SELECT count(*) FILTER (WHERE subject = 'account:' || lower(p_email)),
           count(*) FILTER (WHERE subject = 'address:' || p_address), min(at)
    INTO v_account, v_address, v_since
    FROM login_failures
    WHERE subject IN ('account:' || lower(p_email), 'address:' || p_address) AND at > now() - v_window;
    IF v_account >= setting_int('login_failures_account_max')
       OR v_address >= setting_int('login_failures_address_max') THEN
        RETURN QUERY SELECT CASE WHEN v_account >= setting_int('login_failures_account_max')
                                 THEN 'account_locked' ELSE 'address_locked' END,
                            NULL::bigint, NULL::text, NULL::text,
                            greatest(1, ceil(extract(epoch FROM v_since + v_window - now())))::integer;
        RETURN;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role, c.password_hash, 0
                 FROM credentials c JOIN players p ON p.id = c.player_id
                 WHERE c.email = lower(p_email) AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_account', NULL::bigint, NULL::text, NULL::text, 0;
    END IF;
END $$;

CREATE FUNCTION public.q_me(p_player bigint) RETURNS TABLE(id bigint, nickname text, avatar text, kind text, level integer, title text, clover_points bigint, level_points bigint, level_points_needed bigint, rating integer, rating_games bigint, created_at bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT p.id, p.nickname, p.avatar, p.kind, p.level, l.title, p.clover_points, p.level_points, l.points_needed,
           r.rating, coalesce(r.games, 0), (extract(epoch FROM p.created_at) * 1000)::bigint
    FROM players p
    JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = p.id AND r.variant = 'rummy51' AND r.period = 'all'
    WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

CREATE FUNCTION public.q_seats(p_table bigint) RETURNS TABLE(seat smallint, player_id bigint, bot_level smallint, nickname text, avatar text, client_seed bytea, stake_silver bigint, stake_gold bigint)
    LANGUAGE sql STABLE
    AS $$
    SELECT seat, player_id, bot_level, nickname, avatar, client_seed, stake_silver, stake_gold
    FROM seats WHERE table_id = p_table ORDER BY seat
$$;

CREATE FUNCTION public.q_settled(p_table bigint, p_code text) RETURNS TABLE(code text, game_id bigint, seat smallint, player_id bigint, place smallint, points integer, game_points integer, clover bigint, silver bigint, gold bigint, silver_lost bigint, level_gold bigint, level integer, levels_gained integer, title text, rating integer, rated boolean, practice boolean)
    LANGUAGE sql STABLE
    AS $$
    SELECT p_code, g.id, p.seat, p.player_id, p.place, p.points, p.game_points, p.clover, p.silver, p.gold,
           p.silver_lost, p.level_gold, p.level, p.levels_gained, p.title, p.rating, g.rated, g.practice
    FROM games g JOIN game_players p ON p.game_id = g.id
    WHERE g.table_id = p_table
    ORDER BY p.seat
$$;

CREATE FUNCTION public.rating_of(p_points bigint, p_games bigint) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT (p_points * setting_int('rating_scale') / (p_games * setting_int('game_points_max')))::integer);
END $$;

CREATE TABLE public.seats (
    table_id bigint NOT NULL,
    seat smallint NOT NULL,
    player_id bigint,
    bot_level smallint,
    nickname text NOT NULL,
    avatar text DEFAULT ''::text NOT NULL,
    client_seed bytea DEFAULT '\x'::bytea NOT NULL,
    stake_silver bigint DEFAULT 0 NOT NULL,
    stake_gold bigint DEFAULT 0 NOT NULL,
    take integer DEFAULT 0 NOT NULL,
    taken_at timestamp with time zone DEFAULT now() NOT NULL,
    live boolean DEFAULT true NOT NULL,
    CONSTRAINT seats_bot_level_check CHECK (((bot_level >= 1) AND (bot_level <= 3))),
    CONSTRAINT seats_check CHECK (((player_id IS NULL) = (bot_level IS NOT NULL))),
    CONSTRAINT seats_client_seed_check CHECK (((octet_length(client_seed) = 0) OR ((octet_length(client_seed) >= 16) AND (octet_length(client_seed) <= 32)))),
    CONSTRAINT seats_seat_check CHECK (((seat >= 0) AND (seat <= 5))),
    CONSTRAINT seats_stake_gold_check CHECK ((stake_gold >= 0)),
    CONSTRAINT seats_stake_silver_check CHECK ((stake_silver >= 0))
);

CREATE FUNCTION public.refund_stake(p_seat public.seats, p_note text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.seat_player(p_player bigint, p_table public.tables) RETURNS smallint
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.seat_refusal(p_player bigint, p_room public.rooms) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.session_answer(p_code text, p_player bigint) RETURNS public.session_answer
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_answer session_answer;
BEGIN
    IF p_code = 'ok' THEN
        PERFORM do_daily_bonus(ARRAY[p_player], now());
        SELECT 'ok', m.* INTO v_answer FROM q_me(p_player) m;
    ELSE
        v_answer.code := p_code;
    END IF;
    RETURN v_answer;
END $$;

CREATE FUNCTION public.setting_int(p_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
    v_value bigint;
BEGIN
    SELECT value::bigint INTO STRICT v_value FROM settings WHERE name = p_name;
    RETURN v_value;
EXCEPTION WHEN no_data_found THEN
    RAISE EXCEPTION 'setting % is missing', p_name;
END $$;

CREATE FUNCTION public.settle_chips(p_table public.tables, p_game bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seat     seats;
    v_result   game_players;
    v_legs     ledger_leg[] := '{}';
    v_winner   boolean := EXISTS (SELECT 1 FROM game_players WHERE game_id = p_game AND won);
    v_transfer bigint;
BEGIN
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL ORDER BY seat LOOP
        SELECT * INTO STRICT v_result FROM game_players WHERE game_id = p_game AND seat = v_seat.seat;
        v_legs := v_legs || settle_legs(v_seat, CASE WHEN v_result.won THEN 'won'
                                                     WHEN v_winner OR v_result.left_early THEN 'lost' ELSE 'back' END,
                                        p_table.stake, p_table.reward);
    END LOOP;
    IF NOT EXISTS (SELECT 1 FROM unnest(v_legs) l WHERE l.amount <> 0) THEN
        RETURN; -- no stake and no reward
    END IF;
    v_transfer := ledger_post('settle', 'settle:table:' || p_table.id, p_table.id, '', v_legs);
    IF v_transfer IS NULL THEN
        RAISE EXCEPTION 'table % was settled before', p_table.id;
    END IF;
    UPDATE game_players g
    SET silver = coalesce(m.silver, 0) - s.stake_silver, gold = coalesce(m.gold, 0) - s.stake_gold,
        silver_lost = coalesce(m.lost, 0)
    FROM seats s
    LEFT JOIN (SELECT a.player_id, sum(p.amount) FILTER (WHERE a.currency = 'silver') AS silver,
                      sum(p.amount) FILTER (WHERE a.currency = 'gold') AS gold,
                      -sum(p.amount) FILTER (WHERE p.reason = 'over_cap') AS lost
               FROM postings p JOIN accounts a ON a.id = p.account_id
               WHERE p.transfer_id = v_transfer AND a.kind = 'purse'
               GROUP BY a.player_id) m ON m.player_id = s.player_id
    WHERE g.game_id = p_game AND s.table_id = p_table.id AND s.seat = g.seat AND g.player_id IS NOT NULL;
END $$;

CREATE FUNCTION public.settle_legs(p_seat public.seats, p_outcome text, p_stake bigint, p_reward bigint) RETURNS public.ledger_leg[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_lost boolean := p_outcome = 'lost';
    v_legs ledger_leg[];
    v_gold bigint;
BEGIN
    v_legs := ARRAY[
        ROW(account_hold(p_seat.table_id, p_seat.player_id, 'silver'), -p_seat.stake_silver, 'stake'),
        ROW(CASE WHEN v_lost THEN account_house('stake', 'silver') ELSE account_purse(p_seat.player_id, 'silver') END,
            p_seat.stake_silver, CASE WHEN v_lost THEN 'stake_lost' ELSE 'stake_back' END),
        ROW(account_hold(p_seat.table_id, p_seat.player_id, 'gold'), -p_seat.stake_gold, 'stake'),
        ROW(CASE WHEN v_lost THEN account_house('stake', 'gold') ELSE account_purse(p_seat.player_id, 'gold') END,
            p_seat.stake_gold, CASE WHEN v_lost THEN 'stake_lost' ELSE 'stake_back' END)]::ledger_leg[];
    IF p_outcome = 'won' THEN
        -- Who plays with gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

CREATE TABLE public.game_players (
    game_id bigint NOT NULL,
    seat smallint NOT NULL,
    player_id bigint,
    nickname text NOT NULL,
    avatar text NOT NULL,
    client_seed bytea NOT NULL,
    place smallint NOT NULL,
    points integer NOT NULL,
    opened boolean NOT NULL,
    cards_left smallint NOT NULL,
    won boolean NOT NULL,
    rummy boolean NOT NULL,
    left_early boolean NOT NULL,
    game_points integer DEFAULT 0 NOT NULL,
    clover bigint DEFAULT 0 NOT NULL,
    silver bigint DEFAULT 0 NOT NULL,
    gold bigint DEFAULT 0 NOT NULL,
    silver_lost bigint DEFAULT 0 NOT NULL,
    level_gold bigint DEFAULT 0 NOT NULL,
    level integer,
    levels_gained integer DEFAULT 0 NOT NULL,
    title text,
    rating integer,
    CONSTRAINT game_players_cards_left_check CHECK ((cards_left >= 0)),
    CONSTRAINT game_players_place_check CHECK ((place > 0))
);

CREATE TABLE public.games (
    id bigint NOT NULL,
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    room_id text NOT NULL,
    variant text NOT NULL,
    params text NOT NULL,
    stake bigint NOT NULL,
    reward bigint NOT NULL,
    multiplier_tenths integer NOT NULL,
    people_n smallint NOT NULL,
    rated boolean NOT NULL,
    practice boolean NOT NULL,
    ending text NOT NULL,
    moves_n integer NOT NULL,
    server_seed bytea NOT NULL,
    commit bytea NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone DEFAULT now() NOT NULL,
    record text NOT NULL,
    CONSTRAINT games_ending_check CHECK ((ending = ANY (ARRAY['out'::text, 'no_cards'::text, 'stalled'::text])))
);

CREATE FUNCTION public.settle_points(p_game public.games, p_result public.game_players) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_before integer;
    v_points integer := game_points(p_game.variant, p_result.place, p_result.opened, p_result.cards_left);
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF NOT p_game.practice THEN
        v_clover := clover_of(v_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated THEN
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, v_points, p_result.won, p_result.rummy);
    END IF;
    UPDATE game_players g
    SET game_points = v_points, clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

CREATE FUNCTION public.silver_over_cap(p_player bigint, p_gain bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT least(p_gain, greatest(0, silver_owned(p.id) + p_gain - l.silver_cap))
            FROM players p JOIN levels l USING (level)
            WHERE p.id = p_player);
END $$;

CREATE FUNCTION public.silver_owned(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    RETURN (SELECT p.balance + coalesce((SELECT sum(h.balance) FROM seats s
                                         JOIN accounts h ON h.kind = 'hold' AND h.table_id = s.table_id
                                                        AND h.player_id = s.player_id AND h.currency = 'silver'
                                         WHERE s.player_id = p_player AND s.live), 0)::bigint
            FROM accounts p
            WHERE p.kind = 'purse' AND p.player_id = p_player AND p.currency = 'silver');
END $$;

CREATE FUNCTION public.start_alone(p_table public.tables) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_seat  seats;
    v_games integer;
    v_day   date := local_day(now());
BEGIN
    SELECT * INTO STRICT v_seat FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL;
    PERFORM lock_players(ARRAY[v_seat.player_id]);
    SELECT games INTO v_games FROM alone_games WHERE player_id = v_seat.player_id AND day = v_day;
    IF coalesce(v_games, 0) >= setting_int('alone_games_a_day') THEN
        PERFORM refund_stake(v_seat, 'practice');
        UPDATE seats SET stake_silver = 0, stake_gold = 0 WHERE table_id = p_table.id AND seat = v_seat.seat;
        UPDATE tables SET practice = true WHERE id = p_table.id;
        RETURN true;
    END IF;
    INSERT INTO alone_games AS a (player_id, day, games) VALUES (v_seat.player_id, v_day, 1)
    ON CONFLICT (player_id, day) DO UPDATE SET games = a.games + 1;
    UPDATE tables SET alone_day = v_day WHERE id = p_table.id;
    RETURN false;
END $$;

CREATE FUNCTION public.store_game(p_table public.tables, p_ending text, p_results jsonb, p_record text) RETURNS public.games
    LANGUAGE plpgsql
    AS $$
DECLARE
    v_game   games;
    v_stored bigint;
BEGIN
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                       practice, ending, moves_n, server_seed, commit, started_at, record)
    VALUES (p_table.id, p_table.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min'), p_table.practice, p_ending,
            (SELECT count(*) FROM journal WHERE table_id = p_table.id), p_table.server_seed, p_table.commit,
            p_table.started_at, p_record)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar, s.client_seed, r.place, r.points, r.opened,
           r.cards_left, r.place = 1 AND p_ending = 'out', r.rummy, r."left"
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, opened boolean,
                                             cards_left smallint, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;

CREATE TABLE public.player_days (
    player_id bigint NOT NULL,
    bonus_day date NOT NULL,
    played_day date,
    streak integer DEFAULT 0 NOT NULL,
    streak_best integer DEFAULT 0 NOT NULL,
    CONSTRAINT player_days_check CHECK ((streak_best >= streak)),
    CONSTRAINT player_days_streak_check CHECK ((streak >= 0))
);

CREATE FUNCTION public.streak_before(p_days public.player_days, p_day date) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN p_days.played_day = p_day - 1 THEN p_days.streak ELSE 0 END
$$;

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    kind text NOT NULL,
    currency text NOT NULL,
    player_id bigint,
    table_id bigint,
    cause text,
    balance bigint,
    CONSTRAINT accounts_balance_check CHECK ((balance >= 0)),
    CONSTRAINT accounts_check CHECK (
CASE kind
    WHEN 'purse'::text THEN ((player_id IS NOT NULL) AND (table_id IS NULL) AND (cause IS NULL))
    WHEN 'hold'::text THEN ((player_id IS NOT NULL) AND (table_id IS NOT NULL) AND (cause IS NULL))
    ELSE ((player_id IS NULL) AND (table_id IS NULL) AND (cause IS NOT NULL))
END),
    CONSTRAINT accounts_check1 CHECK (((balance IS NULL) = (kind = 'house'::text))),
    CONSTRAINT accounts_currency_check CHECK ((currency = ANY (ARRAY['silver'::text, 'gold'::text]))),
    CONSTRAINT accounts_kind_check CHECK ((kind = ANY (ARRAY['purse'::text, 'hold'::text, 'house'::text])))
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.alone_games (
    player_id bigint NOT NULL,
    day date NOT NULL,
    games integer NOT NULL,
    CONSTRAINT alone_games_games_check CHECK ((games >= 0))
);

CREATE TABLE public.causes (
    cause text NOT NULL,
    about text NOT NULL
);

CREATE TABLE public.credentials (
    player_id bigint NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT credentials_email_check CHECK (((email = lower(email)) AND ((char_length(email) >= 3) AND (char_length(email) <= 254))))
);

ALTER TABLE public.games ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.guest_devices (
    device_hash bytea NOT NULL,
    player_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT guest_devices_device_hash_check CHECK ((octet_length(device_hash) = 32))
);

CREATE TABLE public.idempotency (
    player_id bigint NOT NULL,
    key text NOT NULL,
    action text NOT NULL,
    body_hash bytea NOT NULL,
    answer jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 128)))
);

CREATE TABLE public.journal (
    table_id bigint NOT NULL,
    hand_no integer NOT NULL,
    v integer NOT NULL,
    epoch bigint NOT NULL,
    seat smallint NOT NULL,
    move bytea NOT NULL,
    hash bigint NOT NULL,
    command text DEFAULT ''::text NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT journal_command_check CHECK ((char_length(command) <= 36))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='20000', autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='20000');

CREATE TABLE public.levels (
    level integer NOT NULL,
    title text NOT NULL,
    points_needed bigint,
    reward_gold bigint NOT NULL,
    silver_cap bigint NOT NULL,
    CONSTRAINT levels_level_check CHECK ((level > 0)),
    CONSTRAINT levels_points_needed_check CHECK ((points_needed > 0)),
    CONSTRAINT levels_reward_gold_check CHECK ((reward_gold >= 0)),
    CONSTRAINT levels_silver_cap_check CHECK ((silver_cap >= 0))
);

CREATE TABLE public.login_failures (
    subject text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.nodes (
    name text NOT NULL,
    epoch bigint NOT NULL,
    alive_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT nodes_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 64)))
);

CREATE TABLE public.place_points (
    variant text NOT NULL,
    place smallint NOT NULL,
    points integer NOT NULL,
    CONSTRAINT place_points_place_check CHECK ((place > 0)),
    CONSTRAINT place_points_points_check CHECK ((points >= 0))
);

CREATE TABLE public.players (
    id bigint NOT NULL,
    kind text NOT NULL,
    role text DEFAULT 'player'::text NOT NULL,
    nickname text NOT NULL,
    avatar text DEFAULT ''::text NOT NULL,
    level integer DEFAULT 1 NOT NULL,
    level_points bigint DEFAULT 0 NOT NULL,
    clover_points bigint DEFAULT 0 NOT NULL,
    banned_at timestamp with time zone,
    deleted_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT players_avatar_check CHECK ((char_length(avatar) <= 32)),
    CONSTRAINT players_clover_points_check CHECK ((clover_points >= 0)),
    CONSTRAINT players_kind_check CHECK ((kind = ANY (ARRAY['guest'::text, 'registered'::text]))),
    CONSTRAINT players_level_points_check CHECK ((level_points >= 0)),
    CONSTRAINT players_nickname_check CHECK (((char_length(nickname) >= 1) AND (char_length(nickname) <= 24))),
    CONSTRAINT players_role_check CHECK ((role = ANY (ARRAY['player'::text, 'admin'::text])))
);

ALTER TABLE public.players ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.players_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.postings (
    id bigint NOT NULL,
    transfer_id bigint NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    balance_after bigint,
    CONSTRAINT postings_amount_check CHECK (((amount <> 0) AND (abs(amount) <= '1000000000000'::bigint))),
    CONSTRAINT postings_balance_after_check CHECK ((balance_after >= 0)),
    CONSTRAINT postings_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 40)))
);

CREATE SEQUENCE public.postings_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE public.postings_id OWNED BY public.postings.id;

CREATE TABLE public.ratings (
    player_id bigint NOT NULL,
    variant text NOT NULL,
    period text NOT NULL,
    games bigint NOT NULL,
    points bigint NOT NULL,
    wins bigint NOT NULL,
    rummies bigint NOT NULL,
    rating integer NOT NULL,
    CONSTRAINT ratings_games_check CHECK ((games > 0)),
    CONSTRAINT ratings_period_check CHECK (((period = 'all'::text) OR (period ~ '^[0-9]{4}-[0-9]{2}$'::text))),
    CONSTRAINT ratings_points_check CHECK ((points >= 0))
);

CREATE TABLE public.refresh_tokens (
    token_hash bytea NOT NULL,
    family uuid NOT NULL,
    player_id bigint NOT NULL,
    issued_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT refresh_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL,
    about text NOT NULL
);

ALTER TABLE public.tables ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tables_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.tickets (
    id uuid NOT NULL,
    table_id bigint,
    player_id bigint NOT NULL,
    seat smallint,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT tickets_check CHECK (((table_id IS NOT NULL) OR (seat IS NULL)))
);

CREATE TABLE public.titles (
    name text NOT NULL,
    level_from integer NOT NULL,
    CONSTRAINT titles_level_from_check CHECK ((level_from > 0))
);

CREATE TABLE public.transfers (
    id bigint NOT NULL,
    cause text NOT NULL,
    key text NOT NULL,
    table_id bigint,
    note text DEFAULT ''::text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT transfers_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200)))
);

ALTER TABLE public.transfers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.transfers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.alone_games
    ADD CONSTRAINT alone_games_pkey PRIMARY KEY (player_id, day);

ALTER TABLE ONLY public.causes
    ADD CONSTRAINT causes_pkey PRIMARY KEY (cause);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_email_key UNIQUE (email);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_pkey PRIMARY KEY (game_id, seat);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_table_id_hand_no_key UNIQUE (table_id, hand_no);

ALTER TABLE ONLY public.guest_devices
    ADD CONSTRAINT guest_devices_pkey PRIMARY KEY (device_hash);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (player_id, key);

ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (table_id, v);

ALTER TABLE ONLY public.levels
    ADD CONSTRAINT levels_pkey PRIMARY KEY (level);

ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.place_points
    ADD CONSTRAINT place_points_pkey PRIMARY KEY (variant, place);

ALTER TABLE ONLY public.player_days
    ADD CONSTRAINT player_days_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_pkey PRIMARY KEY (player_id, variant, period);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_position_key UNIQUE ("position");

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (table_id, seat);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_player_id_key UNIQUE (table_id, player_id);

ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.titles
    ADD CONSTRAINT titles_level_from_key UNIQUE (level_from);

ALTER TABLE ONLY public.titles
    ADD CONSTRAINT titles_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_key_key UNIQUE (key);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX accounts_hold ON public.accounts USING btree (table_id, player_id, currency) WHERE (kind = 'hold'::text);

CREATE UNIQUE INDEX accounts_house ON public.accounts USING btree (cause, currency) WHERE (kind = 'house'::text);

CREATE UNIQUE INDEX accounts_purse ON public.accounts USING btree (player_id, currency) WHERE (kind = 'purse'::text);

CREATE INDEX game_players_player ON public.game_players USING btree (player_id, game_id) WHERE (player_id IS NOT NULL);

CREATE INDEX guest_devices_player ON public.guest_devices USING btree (player_id);

CREATE INDEX idempotency_at ON public.idempotency USING btree (at);

CREATE INDEX login_failures_subject ON public.login_failures USING btree (subject, at);

CREATE INDEX player_days_due ON public.player_days USING btree (bonus_day, player_id);

CREATE INDEX postings_account ON public.postings USING btree (account_id, id);

CREATE INDEX postings_transfer ON public.postings USING btree (transfer_id);

CREATE INDEX ratings_best ON public.ratings USING btree (variant, period, rating DESC, games DESC);

CREATE INDEX refresh_tokens_expires ON public.refresh_tokens USING btree (expires_at);

CREATE INDEX refresh_tokens_family ON public.refresh_tokens USING btree (family);

CREATE INDEX refresh_tokens_player ON public.refresh_tokens USING btree (player_id);

CREATE INDEX seats_live ON public.seats USING btree (player_id) WHERE (live AND (player_id IS NOT NULL));

CREATE INDEX tables_live ON public.tables USING btree (node) WHERE (state = ANY (ARRAY['waiting'::text, 'playing'::text]));

CREATE INDEX tables_waiting ON public.tables USING btree (room_id, created_at, id) WHERE (state = 'waiting'::text);

CREATE INDEX tickets_expires ON public.tickets USING btree (expires_at);

CREATE INDEX tickets_table ON public.tickets USING btree (table_id);

CREATE INDEX transfers_table ON public.transfers USING btree (table_id) WHERE (table_id IS NOT NULL);

CREATE TRIGGER account_guard BEFORE INSERT OR UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION public.ledger_account_guard();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER account_guard;

CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER account_kept;

CREATE CONSTRAINT TRIGGER balance_posted AFTER UPDATE ON public.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ledger_balance_posted();

ALTER TABLE public.accounts ENABLE ALWAYS TRIGGER balance_posted;

CREATE TRIGGER game_pays_daily AFTER INSERT ON public.games FOR EACH ROW EXECUTE FUNCTION public.game_pays_daily();

CREATE TRIGGER player_days_born AFTER INSERT ON public.players FOR EACH ROW EXECUTE FUNCTION public.player_days_born();

CREATE TRIGGER player_played AFTER INSERT ON public.game_players FOR EACH ROW WHEN ((new.player_id IS NOT NULL)) EXECUTE FUNCTION public.player_played();

CREATE TRIGGER posting_apply BEFORE INSERT ON public.postings FOR EACH ROW EXECUTE FUNCTION public.ledger_posting_apply();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER posting_apply;

CREATE TRIGGER posting_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.postings FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER posting_kept;

CREATE TRIGGER transfer_balanced AFTER INSERT ON public.postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_transfer_balanced();

ALTER TABLE public.postings ENABLE ALWAYS TRIGGER transfer_balanced;

CREATE TRIGGER transfer_kept BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_refuse();

ALTER TABLE public.transfers ENABLE ALWAYS TRIGGER transfer_kept;

CREATE CONSTRAINT TRIGGER transfer_posted AFTER INSERT ON public.transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ledger_transfer_posted();

ALTER TABLE public.transfers ENABLE ALWAYS TRIGGER transfer_posted;

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_cause_fkey FOREIGN KEY (cause) REFERENCES public.causes(cause);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.alone_games
    ADD CONSTRAINT alone_games_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.games(id);

ALTER TABLE ONLY public.game_players
    ADD CONSTRAINT game_players_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id);

ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.guest_devices
    ADD CONSTRAINT guest_devices_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.levels
    ADD CONSTRAINT levels_title_fkey FOREIGN KEY (title) REFERENCES public.titles(name);

ALTER TABLE ONLY public.player_days
    ADD CONSTRAINT player_days_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.players
    ADD CONSTRAINT players_level_fkey FOREIGN KEY (level) REFERENCES public.levels(level);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.postings
    ADD CONSTRAINT postings_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES public.transfers(id);

ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT rooms_title_fkey FOREIGN KEY (title) REFERENCES public.titles(name);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_node_fkey FOREIGN KEY (node) REFERENCES public.nodes(name);

ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_room_id_fkey FOREIGN KEY (room_id) REFERENCES public.rooms(id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.players(id);

ALTER TABLE ONLY public.tickets
    ADD CONSTRAINT tickets_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_cause_fkey FOREIGN KEY (cause) REFERENCES public.causes(cause);

ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_table_id_fkey FOREIGN KEY (table_id) REFERENCES public.tables(id);

