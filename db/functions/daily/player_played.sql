CREATE OR REPLACE FUNCTION player_played() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION player_played IS
'Notes for each person of a finished game that they played.
Called by the trigger player_played of game_players.';
