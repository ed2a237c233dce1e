CREATE OR REPLACE FUNCTION notify_season_prize() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_player(NEW.player_id, 'league_prize', jsonb_build_object(
        'season', NEW.season_no, 'league', (SELECT id FROM leagues WHERE position = NEW.position),
        'place', NEW.place, 'gold', NEW.prize_gold));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION notify_season_prize IS
'Notifies a player of a prize.
Called by the trigger notify_season_prize of season_results.';
