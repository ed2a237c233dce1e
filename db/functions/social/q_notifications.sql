CREATE OR REPLACE FUNCTION q_notifications(p_player bigint, p_before bigint, p_limit bigint)
    RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT id, jsonb_build_object('id', id::text, 'at', rfc3339(at), 'kind', kind,
                                  'data', notification_shown(data),
                                  'read', read_at IS NOT NULL)::text
    FROM notifications WHERE player_id = p_player AND id < p_before ORDER BY id DESC LIMIT p_limit
$$;

COMMENT ON FUNCTION q_notifications IS
'A page of a player''s notifications, newest first. id: for the cursor.
Called by api.';
