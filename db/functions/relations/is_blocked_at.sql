CREATE OR REPLACE FUNCTION is_blocked_at(p_player bigint, p_table bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT 1 FROM seats s JOIN player_blocks b ON b.blocked
            AND ((b.player_id = p_player AND b.other_id = s.player_id)
                 OR (b.player_id = s.player_id AND b.other_id = p_player))
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL)
    OR EXISTS (
        SELECT 1 FROM seats s JOIN separations a ON a.low_id = least(p_player, s.player_id)
            AND a.high_id = greatest(p_player, s.player_id)
        WHERE s.table_id = p_table AND s.player_id IS NOT NULL);
END $$;

COMMENT ON FUNCTION is_blocked_at IS
'Whether a player must not meet someone at the table: one of the two has blocked the other, or an operator
keeps them apart. Written in PL/pgSQL because it keeps the plans; an SQL function that cannot be inlined is
planned again at each call.
Called by do_invite_friend, do_join_table, do_rematch.';
