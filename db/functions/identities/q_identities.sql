CREATE OR REPLACE FUNCTION q_identities(p_player bigint)
    RETURNS TABLE (id bigint, issuer text, email text, created_at bigint, used_at bigint)
    LANGUAGE sql STABLE AS $$
    SELECT id, issuer, email, (extract(epoch FROM created_at) * 1000)::bigint,
           (extract(epoch FROM used_at) * 1000)::bigint
    FROM identities WHERE player_id = p_player ORDER BY id
$$;

COMMENT ON FUNCTION q_identities IS
'The sign-in providers of a player.
Called by api.';
