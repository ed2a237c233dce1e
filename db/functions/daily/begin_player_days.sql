CREATE OR REPLACE FUNCTION begin_player_days() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_days (player_id, bonus_day) VALUES (NEW.id, local_day(NEW.created_at));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION begin_player_days IS
'Creates a player''s row in player_days: the first midnight after their registration is the first that
brings a bonus. Bots have no such row.
Called by the trigger begin_player_days of players.';
