CREATE OR REPLACE FUNCTION factor_challenge(p_player bigint, p_token_hash bytea) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT factor_on(p_player) THEN
        RETURN false;
    END IF;
    INSERT INTO login_challenges (token_hash, player_id, expires_at)
    VALUES (p_token_hash, p_player, now() + make_interval(secs => setting_int('factor_challenge_s')));
    DELETE FROM login_challenges WHERE token_hash IN (
        SELECT c.token_hash FROM login_challenges c WHERE c.player_id = p_player
        ORDER BY c.expires_at DESC, c.token_hash = p_token_hash DESC
        OFFSET setting_int('factor_challenges_max'));
    RETURN true;
END $$;

COMMENT ON FUNCTION factor_challenge IS
'Whether a sign-in whose first factor was correct requires a second one. If so, it continues with the token
of this hash (do_factor_begin), for factor_challenge_s. An account has at most factor_challenges_max such
sign-ins; beyond that, the oldest one lapses.
Called by do_enter_identity, do_enter_login.';
