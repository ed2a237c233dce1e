CREATE OR REPLACE FUNCTION do_enter_login(p_attempt bigint, p_player bigint, p_device_hash bytea,
                                          p_new_device_hash bytea, p_token_hash bytea, p_app text,
                                          p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code    text;
    v_session bigint;
BEGIN
    PERFORM do_login_ok(p_attempt);
    SELECT CASE WHEN p.banned_at IS NULL THEN 'ok' ELSE 'banned' END INTO v_code
    FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL;
    v_code := coalesce(v_code, 'no_such_account');
    IF v_code = 'ok' THEN
        PERFORM device_known(p_player, p_device_hash, p_new_device_hash);
        v_session := session_begin(p_player, p_token_hash, p_app, p_system, p_address);
    END IF;
    RETURN session_answer(v_code, p_player, v_session);
END $$;

COMMENT ON FUNCTION do_enter_login IS
'Enters after the password was found right, with a session and the profile. p_attempt: how do_login_begin
counted it. p_device_hash: of the device''s token; NULL: it had none. p_token_hash …: see session_begin.
Refusals: banned (said only to who knows the password), no_such_account (deleted meanwhile).
Called by api.';
