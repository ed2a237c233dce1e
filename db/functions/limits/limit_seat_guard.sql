CREATE OR REPLACE FUNCTION limit_seat_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.tables WHERE id = NEW.table_id AND tournament_id IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    PERFORM public.bot_seat_refuses(NEW.player_id, NEW.table_id);
    PERFORM public.limit_play_refuses(NEW.player_id);
    RETURN NEW;
END $$;

COMMENT ON FUNCTION limit_seat_guard IS
'Enforces a player''s limits wherever a seat is taken, so that no new code can bypass them. A player who is
being deleted cannot take a seat; a bot can do so only where bots are admitted. Seats in a tournament are
assigned, so the entry was checked instead (limit_entry_guard).
Refusals: RU005 (a bot), and those of limit_play_refuses.
Called by the trigger limit_seat_guard of seats.';
