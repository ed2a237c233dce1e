CREATE OR REPLACE FUNCTION do_enter_passkey(p_passkey bigint, p_sign_count bigint, p_backed_up boolean,
                                            p_device_hash bytea, p_new_device_hash bytea,
                                            p_token_hash bytea, p_app text, p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_player  bigint := (SELECT player_id FROM passkeys WHERE id = p_passkey);
    v_passkey passkeys;
BEGIN
    PERFORM lock_players(ARRAY[v_player]);
    SELECT * INTO v_passkey FROM passkeys WHERE id = p_passkey FOR NO KEY UPDATE;
    IF v_passkey.id IS NULL THEN
        RETURN session_answer('passkey_unknown', NULL);
    ELSIF p_sign_count <= v_passkey.sign_count AND (p_sign_count > 0 OR v_passkey.sign_count > 0) THEN
        RETURN session_answer('passkey_copied', v_player);
    END IF;
    UPDATE passkeys SET sign_count = p_sign_count, backed_up = p_backed_up, used_at = now()
    WHERE id = p_passkey;
    RETURN enter_session(v_player, p_device_hash, p_new_device_hash, p_token_hash, p_app, p_system,
                         p_address);
END $$;

COMMENT ON FUNCTION do_enter_passkey IS
'Signs in after a passkey''s signature was verified, with a session and the profile. The signature includes
user verification, so it counts as two factors. p_sign_count: the passkey''s signature counter; 0: it has
none. p_device_hash …: see enter_session.
Refusals: passkey_unknown (removed in the meantime), passkey_copied (its counter did not increase, so there is
a copy), and those of enter_session.
Locks: the player, the passkey, then sessions.
Called by api.';
