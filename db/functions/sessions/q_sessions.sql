CREATE OR REPLACE FUNCTION q_sessions(p_player bigint, p_session bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce(jsonb_agg(jsonb_build_object(
        'id', id::text, 'app', app, 'system', system, 'network', network, 'created_at', rfc3339(created_at),
        'used_at', rfc3339(used_at), 'current', id = p_session) ORDER BY used_at DESC, id DESC), '[]'))::text
    FROM sessions
    WHERE player_id = p_player AND ended_at IS NULL AND idle_at > now()
$$;

COMMENT ON FUNCTION q_sessions IS
'The sessions of a player as JSON, most recently used first. p_session: the current one.
Called by api.';
