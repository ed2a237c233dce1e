CREATE OR REPLACE FUNCTION do_befriend(p_player bigint, p_other bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_state text := 'asked';
BEGIN
    PERFORM lock_players(ARRAY[p_player, p_other]);
    code := CASE WHEN p_player = p_other THEN 'friend_self'
                 WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_other AND deleted_at IS NULL)
                   OR EXISTS (SELECT 1 FROM deletions WHERE player_id = p_other) THEN 'player_unknown' END;
    IF code IS NULL AND NOT EXISTS (SELECT 1 FROM friends
                                    WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id)) THEN
        IF (SELECT count(*) FROM friends WHERE p_player IN (from_id, to_id)) >= setting_int('friends_max')
           THEN
            code := 'too_many_friends';
        ELSE
            INSERT INTO friends (from_id, to_id) VALUES (p_player, p_other);
            PERFORM notify_friend(p_player, p_other, 'asks');
        END IF;
    ELSIF code IS NULL THEN
        UPDATE friends SET accepted_at = now()
        WHERE from_id = p_other AND to_id = p_player AND accepted_at IS NULL;
        IF FOUND THEN
            PERFORM notify_friend(p_player, p_other, 'accepted');
        END IF;
        IF p_other IN (SELECT friends_of(p_player)) THEN
            v_state := 'friends';
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), jsonb_build_object('state', v_state)::text;
END $$;

COMMENT ON FUNCTION do_befriend IS
'Sends a friend request, or accepts one. Safe to repeat.
Refusals: player_unknown (also: to be deleted), friend_self, too_many_friends.
Called by api.';
