CREATE OR REPLACE FUNCTION do_logout(p_token_hash bytea)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT 'ok', sessions_end(ARRAY(SELECT session_id FROM refresh_tokens
                                                 WHERE token_hash = p_token_hash));
END $$;

COMMENT ON FUNCTION do_logout IS
'Signs out: ends the session to which the token belongs, even if the token is not its latest. For an unknown
token, and on a repeat, nothing ends.
Called by api.';
