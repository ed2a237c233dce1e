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
'Notifies members of what happened to their club. p_what: renamed (its new name) or cleared by an operator,
sent to the owner; closed by an operator, sent to owner and members; ended by the owner, sent to the
members.
Called by club_end, do_admin_change_club.';
