CREATE OR REPLACE FUNCTION player_level_rose() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_invites_due(NEW.id);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION player_level_rose IS
'When a player rises a level, their invitation may be due.
Called by the trigger player_level_rose of players.';
