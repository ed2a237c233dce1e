CREATE OR REPLACE FUNCTION notify_club_by_operator(p_club clubs, p_what text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_player(m.player_id, 'club', jsonb_build_object(
        'club_id', p_club.id::text, 'state', p_what, 'club', p_club.name))
    FROM club_members m
    WHERE m.club_id = p_club.id AND (m.role = 'owner' OR m.role = 'member' AND p_what = 'closed');
END $$;

COMMENT ON FUNCTION notify_club_by_operator IS
'Tells of what an operator has done to a club. p_what: renamed (what it is called now) or cleared, which the
owner is told; closed, which all members are.
Called by do_admin_change_club, do_admin_close_club.';
