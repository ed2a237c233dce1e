CREATE OR REPLACE FUNCTION do_set_limits(p_player bigint, p_minutes bigint, p_purchases bigint,
                                         p_exclude_days bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    IF p_minutes IS NOT NULL THEN
        PERFORM set_limit(p_player, 'time', p_minutes);
    END IF;
    IF p_purchases IS NOT NULL THEN
        PERFORM set_limit(p_player, 'purchases', p_purchases);
    END IF;
    -- An exclusion that is over is none.
    IF p_exclude_days > 0 OR (p_exclude_days = 0
                              AND limit_of(p_player, 'exclusion') > extract(epoch FROM now())) THEN
        PERFORM set_limit(p_player, 'exclusion', CASE WHEN p_exclude_days = 0 THEN 0
                          ELSE extract(epoch FROM now())::bigint + p_exclude_days * 86400 END);
    END IF;
    RETURN QUERY SELECT 'ok', limits_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_set_limits IS
'Sets the limits that are given; NULL leaves one as it is. p_exclude_days 0: no longer excluded.
Refusals: no_such_player.
Called by api.';
