CREATE OR REPLACE FUNCTION club_admits(p_club bigint, p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN p_club IS NULL OR EXISTS (
        SELECT 1 FROM club_members m
        WHERE m.club_id = p_club AND m.player_id = p_player AND m.role <> 'asks');
END $$;

COMMENT ON FUNCTION club_admits IS
'Whether a player may come where a club''s members alone may: they are one, or it is no club''s (p_club NULL).
Called by api, do_club_chat, do_delete_club_line, do_invite_friend, do_join_table, do_open_table, do_rematch,
do_report_club_line, do_spectator_ticket, q_club_chat, q_club_tables, q_friends_here.';
