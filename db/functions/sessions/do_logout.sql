CREATE OR REPLACE FUNCTION do_logout(p_token_hash bytea)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT 'ok', sessions_end(ARRAY(SELECT session_id FROM refresh_tokens
                                                 WHERE token_hash = p_token_hash));
END $$;

COMMENT ON FUNCTION do_logout IS
'Logs out: the session of the token ends, whichever of its tokens this is. Of a token nobody knows, and at a
repeat, nothing does.
Called by api.';
