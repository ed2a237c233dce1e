-- Players as operators see them: found, banned, muted, noted about.

CREATE TABLE player_notes (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES players (id),
    key_id    bigint NOT NULL REFERENCES api_keys (id),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    text      text   NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500)
);
CREATE INDEX player_notes_player ON player_notes (player_id, id DESC);
CREATE INDEX players_nickname ON players (lower(nickname) text_pattern_ops, id);
CREATE INDEX players_banned ON players (banned_at) WHERE banned_at IS NOT NULL;

CREATE FUNCTION admin_player_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'email', c.email, 'level', p.level,
        'clover_points', p.clover_points, 'created_at', rfc3339(p.created_at), 'banned_at', rfc3339(p.banned_at),
        'chat_muted_until', CASE WHEN p.chat_muted_until > now() THEN rfc3339(p.chat_muted_until) END,
        'deleted_at', rfc3339(p.deleted_at),
        'silver', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'silver')),
        'gold', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'gold')),
        'tables', coalesce((SELECT jsonb_agg(s.table_id::text ORDER BY s.table_id) FROM seats s WHERE s.player_id = p.id AND s.live), '[]'),
        'orders', (SELECT count(*) FROM shop_orders o WHERE o.player_id = p.id),
        'reports', (SELECT count(*) FROM reports r WHERE r.reported_id = p.id),
        'invited_by', (SELECT inviter_id::text FROM invites WHERE invited_id = p.id),
        'notes', coalesce((SELECT jsonb_agg(jsonb_build_object('at', rfc3339(n.at), 'key', k.name, 'text', n.text) ORDER BY n.id DESC)
                           FROM (SELECT * FROM player_notes WHERE player_id = p.id ORDER BY id DESC LIMIT 50) n
                           JOIN api_keys k ON k.id = n.key_id), '[]'))
    FROM players p LEFT JOIN credentials c ON c.player_id = p.id WHERE p.id = p_player
$$;

-- code: ok, those of admin_begin, player_unknown.
CREATE FUNCTION do_admin_player(p_key_hash bytea, p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:player', jsonb_build_object('player', p_player), NULL, NULL);
    v_body jsonb := admin_player_json(p_player);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'player_unknown' ELSE 'ok' END, v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- Whose id or e-mail address is p_q, or whose nickname begins with it (NULL: everybody), newest first; the first row is the head.
-- code: as admin_begin.
CREATE FUNCTION do_admin_players(p_key_hash bytea, p_q text, p_before bigint, p_unused bigint, p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:players', jsonb_build_object('q', p_q), NULL, NULL);
    v_q    text   := lower(p_q);
    v_id   bigint := CASE WHEN p_q ~ '^[0-9]{1,18}$' THEN p_q::bigint END;
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' <> 'ok' THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'level', p.level,
               'created_at', rfc3339(p.created_at), 'banned_at', rfc3339(p.banned_at), 'deleted_at', rfc3339(p.deleted_at))::text,
           p.id, 0::bigint, 0::bigint
    FROM players p
    WHERE p.id = ANY (ARRAY(
              SELECT x.id FROM (
                  (SELECT id FROM players WHERE v_q IS NULL AND (p_before IS NULL OR id < p_before) ORDER BY id DESC LIMIT p_limit)
                  UNION ALL (SELECT id FROM players WHERE id = v_id)
                  UNION ALL (SELECT player_id FROM credentials WHERE email = v_q)
                  UNION ALL (SELECT id FROM players WHERE lower(nickname) ~>=~ v_q AND lower(nickname) ~<~ (v_q || chr(1114111)))) x))
      AND (p_before IS NULL OR p.id < p_before)
    ORDER BY p.id DESC LIMIT p_limit;
END $$;

-- A ban: no more seats, tickets, sessions; stakes of tables that still wait come back, games that run go on without him. It is lifted by
-- p_banned false. code: ok, those of admin_begin, player_unknown. Locks: his waiting tables, then players.
CREATE FUNCTION do_admin_ban(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_banned boolean, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call    admin_call := admin_begin(p_key_hash, CASE WHEN p_banned THEN 'ban' ELSE 'unban' END,
                                        jsonb_build_object('player', p_player, 'reason', p_reason), p_idem_key, p_body_hash);
    v_code    text := 'ok';
    v_waiting bigint[];
    v_table   bigint;
BEGIN
    IF v_call.answer IS NULL THEN
        IF p_banned THEN
            v_waiting := ARRAY(SELECT s.table_id FROM seats s JOIN tables t ON t.id = s.table_id
                               WHERE s.player_id = p_player AND s.live AND t.state = 'waiting');
            PERFORM do_lock_tables(v_waiting);
            PERFORM lock_players(ARRAY[p_player]);
            FOREACH v_table IN ARRAY v_waiting LOOP
                PERFORM do_leave_seat(p_player, v_table);
            END LOOP;
            DELETE FROM tickets t WHERE t.player_id = p_player AND t.expires_at > now();
        END IF;
        UPDATE players SET banned_at = CASE WHEN p_banned THEN coalesce(banned_at, now()) END WHERE id = p_player AND deleted_at IS NULL;
        IF FOUND THEN
            INSERT INTO player_notes (player_id, key_id, text)
            VALUES (p_player, v_call.key_id, CASE WHEN p_banned THEN 'Banned: ' ELSE 'Ban lifted: ' END || p_reason);
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- No chatting for so many hours; 0: he may again. code: ok, those of admin_begin, player_unknown.
CREATE FUNCTION do_admin_mute(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_hours bigint, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'mute', jsonb_build_object('player', p_player, 'hours', p_hours, 'reason', p_reason),
                                     p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE players SET chat_muted_until = CASE WHEN p_hours > 0 THEN now() + make_interval(hours => p_hours::integer) END
        WHERE id = p_player AND deleted_at IS NULL;
        IF FOUND THEN
            INSERT INTO player_notes (player_id, key_id, text)
            VALUES (p_player, v_call.key_id, 'Muted for ' || p_hours || ' hours: ' || p_reason);
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

-- code: ok, those of admin_begin, player_unknown.
CREATE FUNCTION do_admin_note(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint, p_text text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'note', jsonb_build_object('player', p_player, 'note', p_text), p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        INSERT INTO player_notes (player_id, key_id, text) SELECT id, v_call.key_id, p_text FROM players WHERE id = p_player;
        IF NOT FOUND THEN
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;
