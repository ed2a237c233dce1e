CREATE OR REPLACE FUNCTION do_factor_confirm_begin(p_player bigint)
    RETURNS TABLE (code text, sealed bytea, kid text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    UPDATE totp_factors f SET tries = f.tries + 1
    WHERE f.player_id = p_player AND f.on_at IS NULL
          AND f.created_at > now() - make_interval(secs => setting_int('factor_setup_s'))
          AND f.tries < setting_int('factor_setup_tries_max')
    RETURNING 'ok', f.sealed, f.kid;
    IF NOT FOUND THEN
        RETURN QUERY SELECT CASE WHEN factor_on(p_player) THEN 'factor_on' ELSE 'factor_setup_over' END,
                            NULL::bytea, NULL::text;
    END IF;
END $$;

COMMENT ON FUNCTION do_factor_confirm_begin IS
'Counts a code that finishes the setup of a second factor, before it is verified with the returned secret.
Refusals: factor_on, factor_setup_over (none was begun, it has expired, or factor_setup_tries_max codes were
tried).
Called by api.';

CREATE OR REPLACE FUNCTION do_factor_confirm(p_player bigint, p_sealed bytea, p_step bigint, p_hashes bytea[])
    RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE totp_factors SET on_at = now(), tries = 0, last_step = p_step
    WHERE player_id = p_player AND sealed = p_sealed AND on_at IS NULL;
    IF NOT FOUND THEN
        RETURN CASE WHEN factor_on(p_player) THEN 'factor_on' ELSE 'factor_setup_over' END;
    END IF;
    PERFORM recovery_codes_put(p_player, p_hashes);
    PERFORM mail_put(p_player, NULL, 'factor_on', '{}');
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_factor_confirm IS
'Switches the second factor on, with these recovery codes, after the code of p_step for the secret p_sealed
was verified. Confirmed by email.
Refusals: factor_on, factor_setup_over (another one has begun in the meantime).
Called by api.';
