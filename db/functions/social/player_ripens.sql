CREATE OR REPLACE FUNCTION player_ripens() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM invites_ripen(NEW.id);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION player_ripens IS
'When a player rises a level, their invitation may be due.
Called by the trigger player_ripens of players.';
