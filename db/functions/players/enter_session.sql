CREATE OR REPLACE FUNCTION enter_session(p_player bigint, p_device_hash bytea, p_new_device_hash bytea,
                                         p_token_hash bytea, p_app text, p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code    text;
    v_session bigint;
BEGIN
    SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END INTO v_code
    FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL;
    v_code := coalesce(v_code, 'no_such_account');
    IF v_code = 'ok' THEN
        PERFORM device_known(p_player, p_device_hash, p_new_device_hash);
        v_session := session_begin(p_player, p_token_hash, p_app, p_system, p_address);
    END IF;
    RETURN session_answer(v_code, p_player, v_session);
END $$;

COMMENT ON FUNCTION enter_session IS
'Signs a player in after their identity was verified, with a session and the profile; the account knows their
device from now on. p_device_hash: hash of the device''s token; NULL: it had none. p_token_hash …: see
session_begin.
Refusals: banned (revealed only to a caller with valid credentials), no_such_account (deleted in the
meantime).
Called by do_enter_factor, do_enter_identity, do_enter_login, do_enter_passkey.';
