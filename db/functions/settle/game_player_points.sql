CREATE OR REPLACE FUNCTION game_player_points() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_seats integer;
BEGIN
    SELECT t.seats_n INTO v_seats FROM games g JOIN tables t ON t.id = g.table_id
    WHERE g.id = NEW.game_id AND NOT has_place_points(g.variant);
    IF FOUND THEN
        NEW.game_points := variant_points(NEW.place, v_seats);
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION game_player_points IS
'Every seat of a game of a variant without points of its own shows those of its place, bots and practice too.
Called by the trigger game_player_points of game_players.';
