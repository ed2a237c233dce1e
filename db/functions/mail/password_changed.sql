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
'Effects of a new password: the sessions of the player end, except p_but (NULL: all), and are returned;
earlier links and sign-ins that wait for a second factor become void; all known devices are forgotten; an
email confirms the change.
Called by do_change_password, do_reset_password.';
