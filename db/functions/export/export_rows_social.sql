CREATE OR REPLACE FUNCTION export_rows_social(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF p_section = 'friends' THEN
        RETURN QUERY
        SELECT n, export_person(other) || jsonb_build_object(
            'asked_by_me', from_id = p_player, 'asked_at', rfc3339(asked_at),
            'accepted_at', rfc3339(accepted_at))
        FROM (SELECT *, CASE WHEN from_id = p_player THEN to_id ELSE from_id END AS other,
                     row_number() OVER (ORDER BY asked_at, from_id, to_id) AS n
              FROM friends WHERE p_player IN (from_id, to_id)) f
        WHERE n > p_after ORDER BY n LIMIT p_max;
    ELSIF p_section = 'clubs' THEN
        RETURN QUERY
        SELECT m.club_id, jsonb_build_object('club_id', m.club_id::text, 'name', c.name, 'role', m.role,
                                             'at', rfc3339(m.at))
               || CASE m.role WHEN 'owner' THEN jsonb_build_object('about', c.about) ELSE '{}' END
        FROM club_members m JOIN clubs c ON c.id = m.club_id
        WHERE m.player_id = p_player AND m.club_id > p_after ORDER BY m.club_id LIMIT p_max;
    ELSIF p_section = 'club_chat' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('club_id', club_id::text, 'at', rfc3339(at), 'text', text)
        FROM club_chat WHERE player_id = p_player AND text <> '' AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'blocks' THEN
        RETURN QUERY
        SELECT other_id, export_person(other_id)
                         || jsonb_build_object('muted', muted, 'blocked', blocked, 'at', rfc3339(at))
        FROM player_blocks WHERE player_id = p_player AND other_id > p_after ORDER BY other_id LIMIT p_max;
    ELSIF p_section = 'invites' THEN
        RETURN QUERY
        SELECT invited_id, export_person(invited_id)
                           || jsonb_build_object('at', rfc3339(at), 'state', state)
        FROM invites WHERE inviter_id = p_player AND invited_id > p_after ORDER BY invited_id LIMIT p_max;
    ELSIF p_section = 'notifications' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('at', rfc3339(at), 'kind', kind, 'data', notification_data(data),
                                      'read_at', rfc3339(read_at))
        FROM notifications WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'reports' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('about', export_person(reported_id), 'table_id', table_id::text,
                                      'club_id', club_id::text, 'at', rfc3339(at), 'reason', reason,
                                      'text', text, 'state', state)
        FROM reports WHERE reporter_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSE
        RAISE EXCEPTION 'there is no section %', p_section;
    END IF;
END $$;

COMMENT ON FUNCTION export_rows_social IS
'Friends, clubs and club messages, blocked players, invitations, notifications, and reports.
Called by export_rows.';
