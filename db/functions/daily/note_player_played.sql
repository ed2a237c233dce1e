CREATE OR REPLACE FUNCTION note_player_played() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_day_played(NEW.player_id, (SELECT ended_at FROM games WHERE id = NEW.game_id));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION note_player_played IS
'Notes for each person of a finished game that they played.
Called by the trigger note_player_played of game_players.';
