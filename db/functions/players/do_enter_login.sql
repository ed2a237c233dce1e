CREATE OR REPLACE FUNCTION do_enter_login(p_email text, p_player bigint, p_token_hash bytea, p_family uuid)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_login_ok(p_email);
    PERFORM do_refresh_issue(p_player, p_token_hash, p_family);
    RETURN session_answer('ok', p_player);
END $$;

COMMENT ON FUNCTION do_enter_login IS
'Enters after the password was found right, with the first refresh token and the profile. The account''s
failed log-ins are forgotten.
Called by api.';
