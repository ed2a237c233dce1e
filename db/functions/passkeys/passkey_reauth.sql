CREATE OR REPLACE FUNCTION passkey_reauth(p_attempt bigint, p_player bigint, p_step bigint,
                                          p_recovery_hash bytea)
    RETURNS text
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_attempt IS NOT NULL THEN
        RETURN nullif(reauth_done(p_attempt, p_player, p_step, p_recovery_hash), 'ok');
    END IF;
    RETURN (SELECT 'password_needed' FROM credentials WHERE player_id = p_player);
END $$;

COMMENT ON FUNCTION passkey_reauth IS
'Whoever has a password has given it once more before a passkey comes or goes. p_attempt: how do_reauth_begin
counted that, and it was right; NULL: they gave none. A guest has none to give. p_step, p_recovery_hash: see
reauth_done.
Refusals: password_needed, and those of reauth_done; NULL: none.
Called by do_passkey_begin, do_passkey_remove.';
