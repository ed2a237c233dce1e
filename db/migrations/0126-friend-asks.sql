-- Requests for friendship: who repeats one (taken back and asked again, too) sends no second notification while the first is new, and what
-- one who is blocked asks reaches nobody. Neither shows in the answer.

INSERT INTO settings (name, value, about) VALUES ('friend_ask_days', '7', 'so long a repeated request for friendship sends no new notification');

-- Has p_by blocked p_other?
CREATE FUNCTION has_blocked(p_by bigint, p_other bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM player_bars WHERE player_id = p_by AND other_id = p_other AND blocked)
$$;

-- Tells p_other that p_player asks, or has accepted; the same thing once in its time.
CREATE FUNCTION notify_friend(p_player bigint, p_other bigint, p_state text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF has_blocked(p_other, p_player) OR EXISTS (
        SELECT 1 FROM notifications WHERE player_id = p_other AND kind = 'friend' AND data ->> 'player_id' = p_player::text
        AND data ->> 'state' = p_state AND at > now() - make_interval(days => setting_int('friend_ask_days')::int)) THEN
        RETURN;
    END IF;
    PERFORM notify_player(p_other, 'friend', jsonb_build_object('player_id', p_player::text, 'state', p_state,
                          'nickname', (SELECT nickname FROM players WHERE id = p_player)));
END $$;

CREATE OR REPLACE FUNCTION do_befriend(p_player bigint, p_other bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_state text := 'asked';
BEGIN
    PERFORM lock_players(ARRAY[p_player, p_other]);
    code := CASE WHEN p_player = p_other THEN 'friend_self'
                 WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_other AND deleted_at IS NULL) THEN 'player_unknown' END;
    IF code IS NULL AND NOT EXISTS (SELECT 1 FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id)) THEN
        IF (SELECT count(*) FROM friends WHERE p_player IN (from_id, to_id)) >= setting_int('friends_max') THEN
            code := 'too_many_friends';
        ELSE
            INSERT INTO friends (from_id, to_id) VALUES (p_player, p_other);
            PERFORM notify_friend(p_player, p_other, 'asks');
        END IF;
    ELSIF code IS NULL THEN
        UPDATE friends SET accepted_at = now() WHERE from_id = p_other AND to_id = p_player AND accepted_at IS NULL;
        IF FOUND THEN
            PERFORM notify_friend(p_player, p_other, 'accepted');
        END IF;
        IF p_other IN (SELECT friends_of(p_player)) THEN
            v_state := 'friends';
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), jsonb_build_object('state', v_state)::text;
END $$;

-- Who is blocked and asks is not in the list of the one who blocked him, for as long as that lasts.
CREATE OR REPLACE FUNCTION q_friends(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
                   'state', CASE WHEN f.accepted_at IS NOT NULL THEN 'friends' WHEN f.from_id = p_player THEN 'asked' ELSE 'asks' END)
                   ORDER BY f.accepted_at IS NULL DESC, p.nickname, p.id)
        FROM friends f JOIN players p ON p.id = CASE WHEN f.from_id = p_player THEN f.to_id ELSE f.from_id END
        JOIN levels l ON l.level = p.level
        WHERE p_player IN (f.from_id, f.to_id)
          AND NOT (f.accepted_at IS NULL AND f.to_id = p_player AND has_blocked(p_player, f.from_id))), '[]'))::text
$$;
