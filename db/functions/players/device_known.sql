CREATE OR REPLACE FUNCTION device_known(p_player bigint, p_old_hash bytea, p_new_hash bytea) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE known_devices SET token_hash = p_new_hash WHERE token_hash = p_old_hash;
    INSERT INTO known_devices (token_hash, player_id) VALUES (p_new_hash, p_player)
    ON CONFLICT (player_id, token_hash) DO UPDATE SET used_at = now();
    DELETE FROM known_devices
    WHERE player_id = p_player AND token_hash IN (
        SELECT d.token_hash FROM known_devices d WHERE d.player_id = p_player
        ORDER BY d.used_at DESC, d.token_hash = p_new_hash DESC
        OFFSET setting_int('known_devices_max'));
END $$;

COMMENT ON FUNCTION device_known IS
'Records a device that has signed in to an account. The device''s new token replaces its old one (NULL: it had
none) for all accounts that it has signed in to. An account keeps the latest known_devices_max.
Called by do_enter_registered, do_enter_upgraded, do_link_identity, enter_session.';
