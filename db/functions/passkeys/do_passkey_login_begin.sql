CREATE OR REPLACE FUNCTION do_passkey_login_begin(p_challenge_hash bytea) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM passkey_challenge_put(p_challenge_hash, NULL);
END $$;

COMMENT ON FUNCTION do_passkey_login_begin IS
'Issues a challenge for a passkey sign-in.
Called by api.';
