CREATE OR REPLACE FUNCTION factor_take(p_player bigint, p_step bigint, p_recovery_hash bytea) RETURNS boolean
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE totp_factors SET last_step = p_step
    WHERE player_id = p_player AND on_at IS NOT NULL AND last_step < p_step;
    IF FOUND OR p_recovery_hash IS NULL THEN
        RETURN FOUND;
    END IF;
    DELETE FROM recovery_codes WHERE player_id = p_player AND code_hash = p_recovery_hash;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM mail_put(p_player, NULL, 'recovery_code_used', jsonb_build_object(
        'left', (SELECT count(*) FROM recovery_codes WHERE player_id = p_player)));
    RETURN true;
END $$;

COMMENT ON FUNCTION factor_take IS
'Uses up a second-factor code: that of a time step (RFC 6238) that the caller identified, or else a recovery
code. false: it is neither, or it was used before. Codes of steps are accepted in order, each once; an email
reports the use of a recovery code.
Called by do_enter_factor, reauth_finish.';
