-- Every seat of a game of another variant shows the points of its place, bots and practice too.
CREATE FUNCTION game_player_points() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_seats integer;
BEGIN
    SELECT t.seats_n INTO v_seats FROM games g JOIN tables t ON t.id = g.table_id
    WHERE g.id = NEW.game_id AND NOT has_own_points(g.variant);
    IF FOUND THEN
        NEW.game_points := variant_points(NEW.place, v_seats);
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER game_player_points BEFORE INSERT ON game_players FOR EACH ROW EXECUTE FUNCTION game_player_points();
