CREATE OR REPLACE FUNCTION limit_entry_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM public.bot_accounts WHERE player_id = NEW.player_id) THEN
        RAISE EXCEPTION 'bot % may not enter tournament %', NEW.player_id, NEW.tournament_id
        USING ERRCODE = 'RU005';
    END IF;
    PERFORM public.limit_play_refuses(NEW.player_id);
    RETURN NEW;
END $$;

COMMENT ON FUNCTION limit_entry_guard IS
'Enforces a player''s limits wherever a tournament is entered. Bot accounts own no chips and enter none.
Refusals: RU005 (a bot), and those of limit_play_refuses.
Called by the trigger limit_entry_guard of tournament_entries.';
