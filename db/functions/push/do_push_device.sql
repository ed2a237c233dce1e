CREATE OR REPLACE FUNCTION do_push_device(p_player bigint, p_session bigint, p_kind text, p_address text,
                                          p_point bytea, p_auth bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    d push_devices;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM sessions
                   WHERE id = p_session AND player_id = p_player AND ended_at IS NULL) THEN
        RETURN QUERY SELECT 'session_expired', NULL::text;
        RETURN;
    END IF;
    DELETE FROM push_devices p USING sessions s
    WHERE s.id = p.session_id AND p.player_id = p_player AND s.ended_at IS NOT NULL;
    DELETE FROM push_devices WHERE kind = p_kind AND address = p_address AND player_id <> p_player;
    IF (SELECT count(*) FROM push_devices
        WHERE player_id = p_player AND (kind, address) <> (p_kind, p_address))
       >= setting_int('push_devices_max') THEN
        RETURN QUERY SELECT 'too_many_devices', NULL::text;
        RETURN;
    END IF;
    INSERT INTO push_devices (player_id, session_id, kind, address, point, auth)
    VALUES (p_player, p_session, p_kind, p_address, p_point, p_auth)
    ON CONFLICT (kind, address) DO UPDATE
    SET session_id = p_session, point = p_point, auth = p_auth
    RETURNING * INTO d;
    RETURN QUERY SELECT 'ok', push_device_json(d, p_session)::text;
END $$;

COMMENT ON FUNCTION do_push_device IS
'Registers the device of a session for push; an existing one gets the current keys and session. An address
that belonged to another player is taken from them, and pushes waiting for it are not sent. Devices of ended
sessions are removed.
Key: the address.
Refusals: session_expired, too_many_devices.
Locks: the player.
Called by api.';
