CREATE OR REPLACE FUNCTION q_factors_sealed(p_kid text, p_after bigint, p_max integer)
    RETURNS TABLE (player_id bigint, sealed bytea, kid text)
    LANGUAGE sql STABLE AS $$
    SELECT player_id, sealed, kid FROM totp_factors
    WHERE kid <> p_kid AND player_id > p_after ORDER BY player_id LIMIT p_max
$$;

COMMENT ON FUNCTION q_factors_sealed IS
'Secrets of second factors that are encrypted with a key other than that of p_kid: those of players after
p_after, at most p_max.
Called by api.';
