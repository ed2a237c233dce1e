CREATE OR REPLACE FUNCTION seat_refusal(p_player bigint, p_room rooms) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_level integer;
BEGIN
    SELECT level INTO v_level FROM players WHERE id = p_player;
    IF v_level < (SELECT level_from FROM titles WHERE name = p_room.title) THEN
        RETURN 'room_locked';
    END IF;
    IF sits_at_most(p_player) THEN
        RETURN 'too_many_tables';
    END IF;
    IF (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player) < p_room.stake THEN
        RETURN 'no_funds';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION seat_refusal IS
'Why a player may not sit in a room, or NULL.
Refusals: room_locked, too_many_tables, no_funds.
Called by do_rematch, do_take_seat.';
