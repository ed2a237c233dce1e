CREATE OR REPLACE FUNCTION notify_club_members(p_club clubs, p_what text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_player(m.player_id, 'club', jsonb_build_object(
        'club_id', p_club.id::text, 'state', p_what, 'club', p_club.name))
    FROM club_members m
    WHERE m.club_id = p_club.id AND (m.role = 'owner' AND p_what <> 'ended'
                                     OR m.role = 'member' AND p_what IN ('closed', 'ended'));
END $$;

COMMENT ON FUNCTION notify_club_members IS
'Tells those in a club what has become of it. p_what: renamed (what it is called now) or cleared by an
operator, which the owner is told; closed by an operator, which the owner and the members are; ended by the
owner, which the members are.
Called by club_end, do_admin_change_club.';
