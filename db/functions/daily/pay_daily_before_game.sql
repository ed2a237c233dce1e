CREATE OR REPLACE FUNCTION pay_daily_before_game() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_daily_bonus(ARRAY(SELECT player_id FROM seats
                                 WHERE table_id = NEW.table_id AND player_id IS NOT NULL
                                 ORDER BY player_id), NEW.ended_at);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION pay_daily_before_game IS
'Pays the midnights that are due before a game''s points count: by the level they found. The settlement has
locked the players.
Called by the trigger pay_daily_before_game of games.';
