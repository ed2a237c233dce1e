CREATE OR REPLACE FUNCTION factor_end(p_player bigint) RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM totp_factors WHERE player_id = p_player AND on_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'factor_off';
    END IF;
    PERFORM mail_put(p_player, NULL, 'factor_off', '{}');
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION factor_end IS
'Switches off the second factor of an account, confirmed by email; its recovery codes and pending sign-ins
become void.
Refusals: factor_off.
Called by do_admin_factor_off, do_factor_off, ways_in_end.';
