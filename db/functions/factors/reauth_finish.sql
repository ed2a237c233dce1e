CREATE OR REPLACE FUNCTION reauth_finish(p_attempt bigint, p_player bigint, p_step bigint,
                                       p_recovery_hash bytea)
    RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    IF factor_on(p_player) AND NOT factor_take(p_player, p_step, p_recovery_hash) THEN
        UPDATE login_attempts SET failed = true, factor = true WHERE id = p_attempt;
        RETURN 'factor_code_wrong';
    END IF;
    PERFORM do_login_ok(p_attempt);
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION reauth_finish IS
'Completes what do_reauth_begin began, once the password has been verified; if the account has a second
factor, this uses up its code as well. p_step, p_recovery_hash: see factor_take; both NULL: no code was
sent, or a wrong one.
Refusals: factor_code_wrong.
Called by do_change_email, do_change_password, do_factor_codes, do_factor_off, reauth_account.';
