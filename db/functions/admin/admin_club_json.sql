CREATE OR REPLACE FUNCTION admin_club_json(p_club clubs) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT (club_json(p_club, NULL) - 'own') || jsonb_build_object(
        'asks', (SELECT count(*) FROM club_members m WHERE m.club_id = p_club.id AND m.role = 'asks'),
        'open_reports', (SELECT count(*) FROM reports r WHERE r.club_id = p_club.id AND r.state = 'open'))
$$;

COMMENT ON FUNCTION admin_club_json IS
'A club as an operator sees it.
Called by do_admin_change_club, do_admin_close_club, do_admin_club, do_admin_clubs.';
