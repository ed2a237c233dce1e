CREATE OR REPLACE FUNCTION start_solo(p_table tables) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_seat  seats;
    v_games integer;
    v_day   date := local_day(now());
BEGIN
    SELECT * INTO STRICT v_seat FROM seats WHERE table_id = p_table.id AND player_id IS NOT NULL;
    PERFORM lock_players(ARRAY[v_seat.player_id]);
    SELECT games INTO v_games FROM solo_games WHERE player_id = v_seat.player_id AND day = v_day;
    IF coalesce(v_games, 0) >= setting_int('solo_games_per_day') THEN
        PERFORM refund_stake(v_seat, 'practice');
        UPDATE seats SET stake_silver = 0, stake_gold = 0 WHERE table_id = p_table.id AND seat = v_seat.seat;
        UPDATE tables SET practice = true WHERE id = p_table.id;
        RETURN true;
    END IF;
    INSERT INTO solo_games AS a (player_id, day, games) VALUES (v_seat.player_id, v_day, 1)
    ON CONFLICT (player_id, day) DO UPDATE SET games = a.games + 1;
    UPDATE tables SET solo_day = v_day WHERE id = p_table.id;
    RETURN false;
END $$;

COMMENT ON FUNCTION start_solo IS
'Decides at the start of a game with one person whether it counts, for only then is it known who sits. Beyond
the day''s number of solo games (alone with bots) a game is practice: the stake goes back and nothing is won.
Returns whether it is.
Called by do_start_table.';
