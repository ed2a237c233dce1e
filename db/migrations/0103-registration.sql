-- Who is invited says so when he registers, or when his guest becomes an account; one way for all of them, and bounds on it.

INSERT INTO settings (name, value, about) VALUES
    ('invites_per_day_max', '20', 'accounts that may name one inviter within a day');

-- Why the code may not be used by this player (NULL: one who is just being made), or NULL. The caller holds the inviter's lock.
CREATE FUNCTION invite_refusal(p_player bigint, p_inviter bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_inviter AND deleted_at IS NULL AND banned_at IS NULL) THEN 'invite_unknown'
        WHEN p_inviter = p_player THEN 'invite_self'
        WHEN EXISTS (SELECT 1 FROM invites WHERE invited_id = p_player) THEN 'invite_used'
        -- two who invite each other, or one's inviter's inviter
        WHEN EXISTS (WITH RECURSIVE above (id, n) AS (
                         SELECT p_inviter, 0 UNION ALL
                         SELECT i.inviter_id, a.n + 1 FROM above a JOIN invites i ON i.invited_id = a.id WHERE a.n < 16)
                     SELECT 1 FROM above WHERE id = p_player) THEN 'invite_circle'
        WHEN (SELECT count(*) FROM invites WHERE inviter_id = p_inviter AND at > now() - interval '1 day')
             >= setting_int('invites_per_day_max') THEN 'invite_full' END
$$;

CREATE FUNCTION inviter_of(p_code text) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT player_id FROM invite_codes WHERE code = upper(p_code)
$$;

-- Writes it down and pays who was invited: `invited:<player>`. The caller holds both locks.
CREATE FUNCTION invite_accepted(p_player bigint, p_inviter bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO invites (invited_id, inviter_id) VALUES (p_player, p_inviter);
    PERFORM do_credit(p_player, 'gold', setting_int('invited_gold'), 'invite', 'invited:' || p_player, '');
END $$;

-- Says afterwards who invited him, within invite_accept_s of the registration. code: ok, no_such_player, invite_unknown, invite_self,
-- invite_guest, invite_late, invite_used, invite_circle, invite_full, idempotency_key_reused.
CREATE OR REPLACE FUNCTION do_accept_invite(p_player bigint, p_code text, p_idem_key text, p_body_hash bytea) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer  jsonb;
    v_player  players;
    v_inviter bigint := inviter_of(p_code);
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'accept_invite', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := coalesce(
            CASE WHEN v_inviter IS NULL THEN 'invite_unknown' WHEN v_inviter = p_player THEN 'invite_self'
                 WHEN v_player.kind <> 'registered' THEN 'invite_guest' END,
            invite_refusal(p_player, v_inviter),
            CASE WHEN coalesce((SELECT c.created_at FROM credentials c WHERE c.player_id = p_player), v_player.created_at)
                      < now() - make_interval(secs => setting_int('invite_accept_s')) THEN 'invite_late' ELSE 'ok' END);
        IF v_code = 'ok' THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        v_answer := jsonb_build_object('code', v_code, 'gold', setting_int('invited_gold'));
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'accept_invite', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', jsonb_build_object('gold', v_answer->'gold')::text;
END $$;

-- p_invite NULL: nobody invited him. code: ok, email_taken, invite_unknown, invite_full; on any but ok there is no account.
DROP FUNCTION do_enter_registered(text, text, text, text, bytea, uuid);
CREATE FUNCTION do_enter_registered(p_email text, p_password_hash text, p_nickname text, p_avatar text,
                                    p_token_hash bytea, p_family uuid, p_invite text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code    text;
    v_player  bigint;
    v_inviter bigint := inviter_of(p_invite);
BEGIN
    IF p_invite IS NOT NULL THEN
        PERFORM lock_players(ARRAY[v_inviter]);
        v_code := invite_refusal(NULL, v_inviter);
    END IF;
    IF v_code IS NULL THEN
        SELECT r.code, r.player_id INTO STRICT v_code, v_player
        FROM do_register(p_email, p_password_hash, p_nickname, p_avatar) r;
    END IF;
    IF v_code = 'ok' THEN
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(v_player, v_inviter);
        END IF;
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

-- A guest becomes an account and keeps all he has; his device opens it no more. p_nickname NULL: as it is. code: ok, no_such_player,
-- banned, already_registered, email_taken, and those of invite_refusal; on any but ok he stays the guest he was.
CREATE FUNCTION do_enter_upgraded(p_player bigint, p_email text, p_password_hash text, p_nickname text, p_token_hash bytea,
                                  p_family uuid, p_invite text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_player  players;
    v_inviter bigint := inviter_of(p_invite);
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player' WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                   WHEN v_player.kind <> 'guest' THEN 'already_registered'
                   WHEN p_invite IS NOT NULL THEN invite_refusal(p_player, v_inviter) END;
    IF v_code IS NULL THEN
        INSERT INTO credentials (player_id, email, password_hash) VALUES (p_player, lower(p_email), p_password_hash)
        ON CONFLICT (email) DO NOTHING;
        v_code := CASE WHEN FOUND THEN 'ok' ELSE 'email_taken' END;
    END IF;
    IF v_code = 'ok' THEN
        UPDATE players SET kind = 'registered', nickname = coalesce(p_nickname, nickname) WHERE id = p_player;
        DELETE FROM guest_devices WHERE player_id = p_player;
        UPDATE refresh_tokens SET revoked_at = now() WHERE player_id = p_player AND revoked_at IS NULL;
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, p_player);
END $$;
