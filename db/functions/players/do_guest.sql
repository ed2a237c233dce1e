CREATE OR REPLACE FUNCTION do_guest(p_device_hash bytea, p_nickname text, p_avatar text)
    RETURNS TABLE (code text, player_id bigint, role text, created boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
    v_new    boolean := false;
BEGIN
    -- Two first calls of one device at once: the second waits here and finds the first's player.
    PERFORM pg_advisory_xact_lock(hashtextextended(encode(p_device_hash, 'hex'), 0));
    SELECT g.player_id INTO v_player FROM guest_devices g JOIN players p ON p.id = g.player_id
    WHERE g.device_hash = p_device_hash AND p.deleted_at IS NULL;
    IF NOT FOUND THEN
        DELETE FROM guest_devices WHERE device_hash = p_device_hash;
        v_player := do_create_player('guest', p_nickname, p_avatar);
        INSERT INTO guest_devices (device_hash, player_id) VALUES (p_device_hash, v_player);
        v_new := true;
    END IF;
    RETURN QUERY SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END, p.id, p.role, v_new
                 FROM players p WHERE p.id = v_player;
END $$;

COMMENT ON FUNCTION do_guest IS
'The player of a device, made at its first call. created: it was made now.
Key: the hash of the device''s secret.
Refusals: banned.
Called by do_enter_guest.';
