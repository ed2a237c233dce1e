CREATE OR REPLACE FUNCTION do_factor_setup(p_attempt bigint, p_player bigint, p_sealed bytea, p_kid text)
    RETURNS TABLE (code text, email text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF factor_on(p_player) THEN
        DELETE FROM login_attempts WHERE id = p_attempt;
        RETURN QUERY SELECT 'factor_on', NULL::text;
        RETURN;
    END IF;
    PERFORM do_login_ok(p_attempt);
    INSERT INTO totp_factors (player_id, sealed, kid) VALUES (p_player, p_sealed, p_kid)
    ON CONFLICT (player_id) DO UPDATE
    SET sealed = p_sealed, kid = p_kid, created_at = now(), tries = 0, last_step = 0
    WHERE totp_factors.on_at IS NULL;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'factor_on' END, c.email
                 FROM credentials c WHERE c.player_id = p_player;
END $$;

COMMENT ON FUNCTION do_factor_setup IS
'Stores the secret of a second factor for a player who has just entered their password (p_attempt, see
do_reauth_begin); they must prove with a code that they have it (do_factor_confirm), within factor_setup_s.
Replaces an unfinished setup. email: name of the account for the app.
Refusals: factor_on (to set up another, switch it off first).
Called by api.';
