CREATE OR REPLACE FUNCTION has_blocked(p_by bigint, p_other bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM player_blocks WHERE player_id = p_by AND other_id = p_other AND blocked);
END $$;

COMMENT ON FUNCTION has_blocked IS
'Whether p_by has blocked p_other.
Called by do_invite_friend, notify_club, notify_friend, q_friends, q_players.';
