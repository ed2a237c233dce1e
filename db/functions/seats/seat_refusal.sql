CREATE OR REPLACE FUNCTION seat_refusal(p_player bigint, p_room rooms) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN p.level < (SELECT level_from FROM titles WHERE name = p_room.title)
                        THEN 'room_locked'
                        WHEN seat_limit_reached(p_player, false) THEN 'too_many_tables'
                        WHEN (SELECT sum(balance) FROM accounts
                              WHERE kind = 'purse' AND player_id = p_player) < p_room.stake
                        THEN 'no_funds' END
            FROM players p WHERE p.id = p_player);
END $$;

COMMENT ON FUNCTION seat_refusal IS
'Why a player may not sit in a room; NULL: they may.
Refusals: room_locked, too_many_tables, no_funds.
Called by do_rematch, room_refusal.';
