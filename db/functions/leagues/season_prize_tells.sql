CREATE OR REPLACE FUNCTION season_prize_tells() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_player(NEW.player_id, 'league_prize', jsonb_build_object(
        'season', NEW.season_no, 'league', (SELECT id FROM leagues WHERE position = NEW.position),
        'place', NEW.place,
        'gold', NEW.prize_gold));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION season_prize_tells IS
'Tells a player of a prize.
Called by the trigger season_prize_tells of season_results.';
