CREATE OR REPLACE FUNCTION factor_on(p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM totp_factors WHERE player_id = p_player AND on_at IS NOT NULL)
$$;

COMMENT ON FUNCTION factor_on IS
'Whether an account has a second factor; an unfinished setup does not count.
Called by do_factor_codes, do_factor_confirm, do_factor_confirm_begin, do_factor_setup, do_reauth_begin,
factor_challenge, reauth_finish.';
