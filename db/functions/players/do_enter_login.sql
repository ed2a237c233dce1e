CREATE OR REPLACE FUNCTION do_enter_login(p_attempt bigint, p_player bigint, p_device_hash bytea,
                                          p_new_device_hash bytea, p_token_hash bytea, p_app text,
                                          p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    IF factor_challenge(p_player, p_token_hash) THEN
        DELETE FROM login_attempts WHERE id = p_attempt; -- one factor alone must not clear earlier attempts
        RETURN session_answer('second_factor_needed', p_player);
    END IF;
    PERFORM do_login_ok(p_attempt);
    RETURN enter_session(p_player, p_device_hash, p_new_device_hash, p_token_hash, p_app, p_system,
                         p_address);
END $$;

COMMENT ON FUNCTION do_enter_login IS
'Signs in after the password was verified, with a session and the profile. p_attempt: the attempt that
do_login_begin counted. The rest: see enter_session. An account with a second factor is not signed in yet:
the token of p_token_hash then begins no session, but is the challenge for do_factor_begin.
Refusals: second_factor_needed, and those of enter_session.
Called by api.';
