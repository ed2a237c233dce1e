CREATE OR REPLACE FUNCTION notification_shown(p_data jsonb) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT notification_data(p_data)
        || CASE WHEN p_data ? 'table_id'
           THEN jsonb_build_object('ws_url', socket_url((p_data ->> 'table_id')::bigint)) ELSE '{}' END
$$;

COMMENT ON FUNCTION notification_shown IS
'A notification as its player sees it: notification_data and, for a table, the current address of its
sockets (socket_url).
Called by server, q_notifications.';
