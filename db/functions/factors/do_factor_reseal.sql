CREATE OR REPLACE FUNCTION do_factor_reseal(p_player bigint, p_old bytea, p_sealed bytea, p_kid text)
    RETURNS void
    LANGUAGE sql AS $$
    UPDATE totp_factors SET sealed = p_sealed, kid = p_kid WHERE player_id = p_player AND sealed = p_old
$$;

COMMENT ON FUNCTION do_factor_reseal IS
'Stores the secret of a second factor, encrypted again with the key of p_kid; p_old: the encrypted secret
that was read. If it has changed since, nothing happens.
Called by api.';
