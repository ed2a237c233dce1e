CREATE OR REPLACE FUNCTION limit_play_refuses(p_player bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM public.deletion_refuses(p_player);
    IF EXISTS (SELECT 1 FROM public.play_limits WHERE player_id = p_player) THEN
        PERFORM public.limit_exclusion_refuses(p_player);
        IF public.limit_time_reached(p_player) THEN
            RAISE EXCEPTION 'limit: player % played as long as they want',
                p_player USING ERRCODE = 'RU002';
        END IF;
    END IF;
END $$;

COMMENT ON FUNCTION limit_play_refuses IS
'Refuses players whose own limits keep them from playing now, and players who are being deleted.
Refusals: RU004 (to be deleted), RU001 (excluded), RU002 (played as long as they want for today).
Called by limit_entry_guard, limit_seat_guard.';
