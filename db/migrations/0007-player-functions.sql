-- Accounts of people: guests, registration, log-in, refresh tokens.

-- A new player with purses and the welcome chips (`welcome:<player>`).
CREATE FUNCTION do_create_player(p_kind text, p_nickname text, p_avatar text) RETURNS bigint
    LANGUAGE plpgsql AS $$
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

-- The player of a device, made at its first call. code: ok, banned.
CREATE FUNCTION do_guest(p_device_hash bytea, p_nickname text, p_avatar text)
    RETURNS TABLE (code text, player_id bigint, role text, created boolean)
    LANGUAGE plpgsql AS $$
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

-- code: ok, email_taken.
CREATE FUNCTION do_register(p_email text, p_password_hash text, p_nickname text, p_avatar text)
    RETURNS TABLE (code text, player_id bigint, role text)
    LANGUAGE plpgsql AS $$
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

-- What a log-in needs to know. code: ok, no_such_account, banned, account_locked, address_locked.
-- retry_s: how long a lock still lasts.
CREATE FUNCTION q_login(p_email text, p_address text)
    RETURNS TABLE (code text, player_id bigint, role text, password_hash text, retry_s integer)
    LANGUAGE plpgsql STABLE AS $$
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

CREATE FUNCTION do_login_failed(p_email text, p_address text) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO login_failures (subject) VALUES ('account:' || lower(p_email)), ('address:' || p_address)
$$;

CREATE FUNCTION do_login_ok(p_email text) RETURNS void
    LANGUAGE sql AS $$
    DELETE FROM login_failures WHERE subject = 'account:' || lower(p_email)
$$;

-- The first token of a family.
CREATE FUNCTION do_refresh_issue(p_player bigint, p_token_hash bytea, p_family uuid) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO refresh_tokens (token_hash, family, player_id, expires_at)
    VALUES (p_token_hash, p_family, p_player, now() + make_interval(secs => setting_int('refresh_ttl_s')))
$$;

-- Gives a new token for an old one. code: ok, token_unknown, token_expired, token_revoked, banned,
-- token_reused (someone holds a copy: the whole family is revoked).
CREATE FUNCTION do_refresh_rotate(p_token_hash bytea, p_new_hash bytea)
    RETURNS TABLE (code text, player_id bigint, role text)
    LANGUAGE plpgsql AS $$
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

-- Log-out: the family of the token ends. code: ok, token_unknown.
CREATE FUNCTION do_refresh_revoke(p_token_hash bytea) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE refresh_tokens SET revoked_at = now()
    WHERE family = (SELECT family FROM refresh_tokens WHERE token_hash = p_token_hash) AND revoked_at IS NULL;
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM refresh_tokens WHERE token_hash = p_token_hash)
                             THEN 'ok' ELSE 'token_unknown' END;
END $$;

-- Removes what has expired, p_max rows of each kind at most; returns how many went.
CREATE FUNCTION do_purge(p_max integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
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
