CREATE OR REPLACE FUNCTION password_changed(p_player bigint, p_but bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mail_proofs WHERE player_id = p_player AND kind IN ('reset', 'change');
    DELETE FROM login_challenges WHERE player_id = p_player;
    DELETE FROM known_devices WHERE player_id = p_player;
    PERFORM mail_put(p_player, NULL, 'password_changed', '{}');
    RETURN sessions_end_of(p_player, p_but);
END $$;

COMMENT ON FUNCTION password_changed IS
'What follows from a new password: the sessions of the player end, p_but excepted (NULL: all), and are
returned; links that were asked for before and log-ins that wait for a second factor are void, no device is
known any more; a mail says so.
Called by do_change_password, do_reset_password.';
