CREATE OR REPLACE FUNCTION push_notifications() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO deliveries (device_id, event, body)
    SELECT d.id, n.kind, n.data::text
    FROM new_rows n JOIN push_devices d ON d.player_id = n.player_id
    JOIN sessions s ON s.id = d.session_id
    LEFT JOIN push_settings w ON w.player_id = n.player_id
    WHERE s.ended_at IS NULL AND s.idle_at > now() AND (d.here_until IS NULL OR d.here_until < now())
      AND (n.kind = 'friend' AND n.data ->> 'state' = 'asks' AND coalesce(w.friend, true)
           OR n.kind = 'table_invite' AND coalesce(w.table_invite, true)
           OR n.kind = 'your_turn' AND coalesce(w.your_turn, true)
           OR n.kind = 'season' AND coalesce(w.season, true));
    RETURN NULL;
END $$;

COMMENT ON FUNCTION push_notifications IS
'Pushes those notifications that are worth it to the devices of who is not in the lobby and wants it: that
somebody asks for friendship, that a friend asks them to a table, that it is their turn at a table with
turns of hours, what the end of a season has changed.
Called by the trigger push_notifications of notifications.';
