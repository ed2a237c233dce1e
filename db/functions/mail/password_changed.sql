CREATE OR REPLACE FUNCTION password_changed(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mail_proofs WHERE player_id = p_player AND kind IN ('reset', 'change');
    PERFORM mail_put(p_player, NULL, 'password_changed', '{}');
    UPDATE refresh_tokens SET revoked_at = now() WHERE player_id = p_player AND revoked_at IS NULL;
END $$;

COMMENT ON FUNCTION password_changed IS
'What follows from a new password: the sessions of the player end; links that were asked
for before are void; a mail says so.
Called by do_change_password, do_reset_password.';
