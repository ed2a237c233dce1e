CREATE OR REPLACE FUNCTION limit_time_reached(p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path = public, pg_temp AS $$
BEGIN
    RETURN public.played_today_s(p_player, now()) >= 60 * public.limit_of(p_player, 'time');
END $$;

COMMENT ON FUNCTION limit_time_reached IS
'Whether a player has reached their time limit on this day.
Called by do_set_limits, limit_play_refuses.';
