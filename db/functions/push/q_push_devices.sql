CREATE OR REPLACE FUNCTION q_push_devices(p_player bigint, p_session bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce(
        jsonb_agg(push_device_json(d, p_session) ORDER BY d.id), '[]'))::text
    FROM push_devices d JOIN sessions s ON s.id = d.session_id
    WHERE d.player_id = p_player AND s.ended_at IS NULL
$$;

COMMENT ON FUNCTION q_push_devices IS
'The devices of a player registered for push.
Called by api.';
