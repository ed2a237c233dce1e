CREATE OR REPLACE FUNCTION do_factor_codes(p_attempt bigint, p_player bigint, p_step bigint,
                                           p_recovery_hash bytea, p_hashes bytea[])
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := reauth_finish(p_attempt, p_player, p_step, p_recovery_hash);
BEGIN
    IF v_code <> 'ok' THEN
        RETURN v_code;
    ELSIF NOT factor_on(p_player) THEN
        RETURN 'factor_off';
    END IF;
    PERFORM recovery_codes_put(p_player, p_hashes);
    PERFORM mail_put(p_player, NULL, 'recovery_codes', '{}');
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_factor_codes IS
'Gives an account new recovery codes, confirmed by email. p_attempt …: see reauth_finish.
Refusals: factor_off, and those of reauth_finish.
Called by api.';
