CREATE OR REPLACE FUNCTION room_refusal(p_player players, p_room rooms) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN CASE WHEN p_player.banned_at IS NOT NULL THEN 'banned'
                WHEN p_room.id IS NULL THEN 'no_such_room'
                WHEN NOT p_room.open THEN 'room_closed'
                ELSE seat_refusal(p_player.id, p_room) END;
END $$;

COMMENT ON FUNCTION room_refusal IS
'Why a player may not take a seat in a room; NULL: they may. p_room: NULL if there is no such room.
Refusals: banned, no_such_room, room_closed, and those of seat_refusal.
Called by do_seat_batch, do_take_seat.';
