CREATE OR REPLACE FUNCTION do_reauth_begin(p_player bigint, p_source text, p_device_hash bytea,
                                           p_code_given boolean)
    RETURNS TABLE (code text, attempt bigint, password_hash text, retry_s integer, sealed bytea, kid text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_email text;
BEGIN
    SELECT c.email INTO v_email FROM credentials c WHERE c.player_id = p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'not_registered', NULL::bigint, NULL::text, 0, NULL::bytea, NULL::text;
        RETURN;
    ELSIF NOT p_code_given AND factor_on(p_player) THEN
        RETURN QUERY SELECT 'factor_code_needed', NULL::bigint, NULL::text, 0, NULL::bytea, NULL::text;
        RETURN;
    END IF;
    RETURN QUERY SELECT b.code, b.attempt, b.password_hash, b.retry_s, f.sealed, f.kid
                 FROM do_login_begin(v_email, p_source, p_device_hash) b
                 LEFT JOIN totp_factors f ON f.player_id = p_player AND f.on_at IS NOT NULL;
END $$;

COMMENT ON FUNCTION do_reauth_begin IS
'Like do_login_begin, for a signed-in player who enters their password again before changing the account''s
credentials. It is counted like a sign-in, with the same locks. sealed, kid: the secret of their second
factor, to verify its code; NULL: they have none. p_code_given: whether a code came with the password; NULL:
none is required. reauth_finish completes it.
Refusals: not_registered (a guest), factor_code_needed (nothing was counted), and those of do_login_begin.
Called by api.';
