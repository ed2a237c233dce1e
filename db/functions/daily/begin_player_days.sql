CREATE OR REPLACE FUNCTION begin_player_days() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_days (player_id, bonus_day) VALUES (NEW.id, local_day(NEW.created_at));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION begin_player_days IS
'Starts a player''s days: the first midnight after they came is the first that brings a bonus. A bot has none.
Called by the trigger begin_player_days of players.';
