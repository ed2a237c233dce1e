CREATE OR REPLACE FUNCTION club_json(p_club clubs, p_reader bigint) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT jsonb_build_object(
        'id', p_club.id::text, 'name', p_club.name, 'about', p_club.about, 'joining', p_club.joining,
        'members', p_club.members_n, 'created_at', rfc3339(p_club.created_at),
        'owner', (SELECT jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname,
                                            'avatar', p.avatar)
                  FROM club_members o JOIN players p ON p.id = o.player_id
                  WHERE o.club_id = p_club.id AND o.role = 'owner'),
        'own', (SELECT m.role FROM club_members m
                WHERE m.club_id = p_club.id AND m.player_id = p_reader)));
END $$;

COMMENT ON FUNCTION club_json IS
'A club in the API''s format, with the reader''s role in it (null if none).
Called by admin_club_json, do_change_club, do_create_club, q_club, q_clubs, q_my_clubs.';
