CREATE OR REPLACE FUNCTION q_ended_sessions(p_max bigint) RETURNS TABLE (id bigint)
    LANGUAGE sql STABLE AS $$
    SELECT id FROM (SELECT id FROM sessions WHERE ended_at > now() - interval '20 minutes'
                    ORDER BY ended_at DESC LIMIT p_max) e ORDER BY id
$$;

COMMENT ON FUNCTION q_ended_sessions IS
'The ids, in order, of sessions that ended within the lifetime of an access token (15 min, plus some
minutes); the latest p_max of them.
Called by api.';
