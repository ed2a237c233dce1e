CREATE OR REPLACE FUNCTION seat_player(p_player bigint, p_table tables) RETURNS smallint
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN (seat_players(ARRAY[p_table.id], ARRAY[p_player]))[1];
END $$;

COMMENT ON FUNCTION seat_player IS
'Like seat_players, for one player. The caller has locked the table and the player.
Called by do_join_table, do_open_table, do_rematch, open_deal_table.';
