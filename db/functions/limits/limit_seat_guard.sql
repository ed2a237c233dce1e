CREATE OR REPLACE FUNCTION limit_seat_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM public.deletion_refuses(NEW.player_id);
    PERFORM public.bot_seat_refuses(NEW.player_id, NEW.table_id);
    IF EXISTS (SELECT 1 FROM public.play_limits WHERE player_id = NEW.player_id) THEN
        PERFORM public.limit_exclusion_refuses(NEW.player_id);
        IF public.played_today_s(NEW.player_id, now()) >= 60 * public.limit_of(NEW.player_id, 'time') THEN
            RAISE EXCEPTION 'limit: player % played as long as they want',
                NEW.player_id USING ERRCODE = 'RU002';
        END IF;
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION limit_seat_guard IS
'Holds a player''s limits wherever a seat is taken, so that no way around them can be added. Who is to be
deleted takes none, and a bot none but where bots may.
Refusals: RU004 (to be deleted), RU005 (a bot), RU001 (excluded), RU002 (played as long as they want for
today).
Called by the trigger limit_seat_guard of seats.';
