CREATE OR REPLACE FUNCTION game_pays_daily() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats
                                 WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION game_pays_daily IS
'Pays the midnights that are due before a game''s points count: by the level they found. The settlement has
locked the players.
Called by the trigger game_pays_daily of games.';
