CREATE OR REPLACE FUNCTION do_enter_guest(p_secret_hash bytea, p_next_hash bytea, p_names jsonb,
                                          p_avatar text, p_token_hash bytea, p_app text, p_system text,
                                          p_address text, p_language text, p_address_hash bytea = NULL)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_player  bigint;
    v_code    text := 'ok';
    v_session bigint;
BEGIN
    IF p_secret_hash IS NULL THEN
        v_player := do_create_named('guest', p_names, p_avatar, address_is_full(p_address_hash));
        IF v_player IS NULL THEN
            v_code := 'name_taken';
        ELSE
            UPDATE players SET language = p_language WHERE id = v_player;
            PERFORM origin_note(v_player, p_address_hash);
            INSERT INTO guest_devices (player_id, secret_hash) VALUES (v_player, p_next_hash);
        END IF;
    ELSE
        v_player := guest_of_device(p_secret_hash, p_next_hash);
        SELECT CASE WHEN p.id IS NULL THEN 'device_unknown' WHEN p.banned_at IS NOT NULL THEN 'banned'
                    ELSE 'ok' END
        INTO v_code FROM (SELECT 1) one LEFT JOIN players p ON p.id = v_player;
    END IF;
    IF v_code = 'ok' THEN
        v_session := session_begin(v_player, p_token_hash, p_app, p_system, p_address);
    END IF;
    RETURN session_answer(v_code, v_player, v_session);
END $$;

COMMENT ON FUNCTION do_enter_guest IS
'Signs in as a new guest, or as the guest of a device, with a session and the profile. p_secret_hash: hash
of the device''s stored secret; NULL: it has none, and a guest is created. p_next_hash: hash of the secret
that replaces it. p_names: names for a new guest; see do_create_named. p_token_hash …: see session_begin.
p_language: of notifications to a new one. p_address_hash: see origin_note.
Refusals: name_taken, device_unknown (no guest has this secret), banned.
Called by api.';
