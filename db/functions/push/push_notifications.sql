CREATE OR REPLACE FUNCTION push_notifications() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO deliveries (device_id, event, body)
    SELECT d.id, k.kind, n.data::text
    FROM new_rows n JOIN push_kinds k ON k.notification = n.kind AND n.data @> k.needs
    JOIN push_devices d ON d.player_id = n.player_id
    JOIN sessions s ON s.id = d.session_id
    JOIN players p ON p.id = n.player_id AND p.banned_at IS NULL
    LEFT JOIN push_settings w ON w.player_id = n.player_id AND w.setting = 'push_' || k.kind
    WHERE s.ended_at IS NULL AND s.idle_at > now() AND (d.here_until IS NULL OR d.here_until < now())
      AND coalesce(w.wanted, k.wanted);
    RETURN NULL;
END $$;

COMMENT ON FUNCTION push_notifications IS
'Pushes notifications with a row in push_kinds to the devices of players who are not in the lobby, want them,
and are not banned.
Called by the trigger push_notifications of notifications.';
