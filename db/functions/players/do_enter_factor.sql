CREATE OR REPLACE FUNCTION do_enter_factor(p_attempt bigint, p_player bigint, p_step bigint,
                                           p_recovery_hash bytea, p_challenge_hash bytea, p_device_hash bytea,
                                           p_new_device_hash bytea, p_token_hash bytea, p_app text,
                                           p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM login_challenges
    WHERE token_hash = p_challenge_hash AND player_id = p_player AND expires_at > now() FOR UPDATE;
    IF NOT FOUND THEN -- another code was accepted in the meantime
        RETURN session_answer('challenge_invalid', p_player);
    ELSIF NOT factor_take(p_player, p_step, p_recovery_hash) THEN
        PERFORM do_login_failed(p_attempt);
        RETURN session_answer('factor_code_wrong', p_player);
    END IF;
    DELETE FROM login_challenges WHERE token_hash = p_challenge_hash;
    PERFORM do_login_ok(p_attempt);
    RETURN enter_session(p_player, p_device_hash, p_new_device_hash, p_token_hash, p_app, p_system,
                         p_address);
END $$;

COMMENT ON FUNCTION do_enter_factor IS
'Signs in after a second-factor code was verified, with a session and the profile; uses up the challenge.
p_attempt, p_player: returned by do_factor_begin. p_step, p_recovery_hash: see factor_take; both NULL: the
code was wrong. The rest: see enter_session.
Refusals: factor_code_wrong, challenge_invalid, and those of enter_session.
Called by api.';
