CREATE OR REPLACE FUNCTION do_factor_off(p_attempt bigint, p_player bigint, p_step bigint,
                                         p_recovery_hash bytea)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := reauth_finish(p_attempt, p_player, p_step, p_recovery_hash);
BEGIN
    RETURN CASE WHEN v_code = 'ok' THEN factor_end(p_player) ELSE v_code END;
END $$;

COMMENT ON FUNCTION do_factor_off IS
'Switches the second factor off (factor_end). p_attempt …: see reauth_finish.
Refusals: those of reauth_finish and factor_end.
Called by api.';
