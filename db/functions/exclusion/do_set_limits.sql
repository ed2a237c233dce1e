CREATE OR REPLACE FUNCTION do_set_limits(p_player bigint, p_minutes bigint, p_purchases bigint,
                                         p_exclude_days bigint)
    RETURNS TABLE (code text, body text, seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_entered bigint[] := CASE WHEN p_exclude_days > 0 THEN entries_lock(p_player) END;
    v_waiting bigint[] := waiting_seats_lock(ARRAY[p_player]);
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text, NULL::bigint[];
        RETURN;
    END IF;
    IF p_minutes IS NOT NULL THEN
        PERFORM set_limit(p_player, 'time', p_minutes);
    END IF;
    IF p_purchases IS NOT NULL THEN
        PERFORM set_limit(p_player, 'purchases', p_purchases);
    END IF;
    -- An expired exclusion does not count.
    IF p_exclude_days > 0 OR (p_exclude_days = 0
                              AND limit_of(p_player, 'exclusion') > extract(epoch FROM now())) THEN
        PERFORM set_limit(p_player, 'exclusion', CASE WHEN p_exclude_days = 0 THEN 0
                          ELSE extract(epoch FROM now())::bigint + p_exclude_days * 86400 END);
        -- Entries in tournaments that begin after the exclusion remain, because the player may play again
        -- by then.
        PERFORM entries_leave(p_player, ARRAY(
            SELECT id FROM tournaments
            WHERE id = ANY (v_entered)
              AND (sit_and_go OR starts_at <= now() + make_interval(days => p_exclude_days::integer))));
    END IF;
    IF p_exclude_days > 0 OR p_minutes IS NOT NULL AND limit_time_reached(p_player) THEN
        PERFORM waiting_seats_leave(ARRAY[p_player], v_waiting);
    ELSE
        v_waiting := '{}';
    END IF;
    RETURN QUERY SELECT 'ok', limits_json(p_player)::text, v_waiting;
END $$;

COMMENT ON FUNCTION do_set_limits IS
'Sets the given limits; NULL leaves one unchanged. p_exclude_days 0: ends the exclusion. An exclusion gives
back entries in tournaments that begin while it lasts, and in every sit-and-go. An exclusion, or a time
limit that is already reached, also gives back seats at waiting tables. seats_of: the tables concerned,
whose nodes must be notified.
Refusals: no_such_player.
Locks: tournaments they have entered, their waiting tables, then players.
Called by api.';
