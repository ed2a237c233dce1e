CREATE OR REPLACE FUNCTION do_factor_begin(p_token_hash bytea, p_source text, p_device_hash bytea)
    RETURNS TABLE (code text, attempt bigint, player_id bigint, sealed bytea, kid text, retry_s integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_email   text;
    v_begun   record;
    v_player  bigint;
BEGIN
    SELECT c.email INTO v_email FROM login_challenges h JOIN credentials c ON c.player_id = h.player_id
    WHERE h.token_hash = p_token_hash AND h.expires_at > now();
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'challenge_invalid', NULL::bigint, NULL::bigint, NULL::bytea, NULL::text, 0;
        RETURN;
    END IF;
    SELECT * INTO v_begun FROM do_login_begin(v_email, p_source, p_device_hash);
    IF v_begun.code <> 'ok' THEN
        RETURN QUERY SELECT v_begun.code, NULL::bigint, NULL::bigint, NULL::bytea, NULL::text,
                            v_begun.retry_s;
        RETURN;
    END IF;
    UPDATE login_challenges SET tries = tries + 1
    WHERE token_hash = p_token_hash AND tries < setting_int('factor_challenge_tries_max')
    RETURNING player_id INTO v_player;
    IF NOT FOUND THEN -- no password to verify
        DELETE FROM login_attempts WHERE id = v_begun.attempt;
        RETURN QUERY SELECT 'challenge_invalid', NULL::bigint, NULL::bigint, NULL::bytea, NULL::text, 0;
        RETURN;
    END IF;
    UPDATE login_attempts SET factor = true WHERE id = v_begun.attempt;
    RETURN QUERY SELECT 'ok', v_begun.attempt, v_player, f.sealed, f.kid, 0
                 FROM totp_factors f WHERE f.player_id = v_player;
END $$;

COMMENT ON FUNCTION do_factor_begin IS
'Counts a second-factor code before it is verified: as a sign-in of the account (do_login_begin, with its
locks), and against the challenge, which allows factor_challenge_tries_max codes. Returns the secret for the
verification. The attempt counts as failed until do_enter_factor removes it.
Refusals: challenge_invalid (unknown, used, expired, or tried with too many codes), and those of
do_login_begin; then nothing may be compared.
Called by api.';
