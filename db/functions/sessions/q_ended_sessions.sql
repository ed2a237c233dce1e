CREATE OR REPLACE FUNCTION q_ended_sessions(p_max bigint) RETURNS TABLE (id bigint)
    LANGUAGE sql STABLE AS $$
    SELECT id FROM (SELECT id FROM sessions WHERE ended_at > now() - interval '20 minutes'
                    ORDER BY ended_at DESC LIMIT p_max) e ORDER BY id
$$;

COMMENT ON FUNCTION q_ended_sessions IS
'Sessions that ended within the life of an access token, which is 15 min, plus some minutes: their ids in
order, the latest p_max of them.
Called by api.';
