CREATE OR REPLACE FUNCTION guest_of_device(p_secret_hash bytea, p_next_hash bytea) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_device guest_devices;
BEGIN
    PERFORM lock_players(ARRAY(SELECT player_id FROM guest_devices
                               WHERE secret_hash = p_secret_hash OR old_hash = p_secret_hash));
    SELECT d.* INTO v_device FROM guest_devices d JOIN players p ON p.id = d.player_id
    WHERE (d.secret_hash = p_secret_hash OR d.old_hash = p_secret_hash) AND p.deleted_at IS NULL
    FOR NO KEY UPDATE OF d;
    IF v_device.secret_hash = p_secret_hash THEN
        UPDATE guest_devices
        SET secret_hash = p_next_hash, old_hash = p_secret_hash, replaced_at = now()
        WHERE player_id = v_device.player_id;
    ELSIF v_device.replaced_at <= now() - make_interval(secs => setting_int('device_grace_s')) THEN
        RETURN NULL;
    ELSIF v_device.secret_hash <> p_next_hash THEN
        UPDATE guest_devices SET secret_hash = p_next_hash WHERE player_id = v_device.player_id;
    END IF;
    RETURN v_device.player_id;
END $$;

COMMENT ON FUNCTION guest_of_device IS
'The guest of a device''s secret, which p_next_hash replaces; NULL: no guest has it. The next secret is
derived from the previous one and is therefore always the same. A client that did not get the reply, or
sends two requests at once, gets the same secret again, within device_grace_s and as long as the new one has
not been used. Using an old secret does not end the session, because a guest has no other proof of identity,
and the holder of the current secret would be locked out.
Locks: the player, then the device.
Called by do_enter_guest.';
