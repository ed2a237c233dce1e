CREATE OR REPLACE FUNCTION do_enter_guest(p_device_hash bytea, p_nickname text, p_avatar text,
                                          p_token_hash bytea, p_family uuid)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code   text;
    v_player bigint;
BEGIN
    SELECT g.code, g.player_id INTO STRICT v_code, v_player
    FROM do_guest(p_device_hash, p_nickname, p_avatar) g;
    IF v_code = 'ok' THEN
        PERFORM do_refresh_issue(v_player, p_token_hash, p_family);
    END IF;
    RETURN session_answer(v_code, v_player);
END $$;

COMMENT ON FUNCTION do_enter_guest IS
'Enters as the guest of a device, with the first refresh token and the profile.
Key: the hash of the device''s secret.
Refusals: banned.
Called by api.';
