CREATE OR REPLACE FUNCTION notify_friend(p_player bigint, p_other bigint, p_state text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF has_blocked(p_other, p_player) OR EXISTS (
        SELECT 1 FROM notifications WHERE player_id = p_other AND kind = 'friend'
            AND data ->> 'player_id' = p_player::text
        AND data ->> 'state' = p_state
        AND at > now() - make_interval(days => setting_int('friend_request_days')::int)) THEN
        RETURN;
    END IF;
    PERFORM notify_player(p_other, 'friend', jsonb_build_object('player_id', p_player::text,
                                                              'state', p_state));
END $$;

COMMENT ON FUNCTION notify_friend IS
'Notifies p_other that p_player sent or accepted a request. The same event is sent once within
friend_request_days, and not at all if one of the two has blocked the other. The reply reveals neither case.
Called by do_befriend.';
