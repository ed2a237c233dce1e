CREATE OR REPLACE FUNCTION notification_shown(p_data jsonb) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT notification_data(p_data)
        || CASE WHEN p_data ? 'table_id'
           THEN jsonb_build_object('ws_url', socket_url((p_data ->> 'table_id')::bigint)) ELSE '{}' END
$$;

COMMENT ON FUNCTION notification_shown IS
'What a notification tells its player: notification_data, and of a table where its sockets are now
(socket_url).
Called by server, q_notifications.';
