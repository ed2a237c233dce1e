CREATE OR REPLACE FUNCTION refresh_answer_lost(p_token refresh_tokens) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN p_token.used_at > now() - make_interval(secs => setting_int('refresh_grace_s'))
           AND EXISTS (SELECT 1 FROM refresh_tokens n
                       WHERE n.token_hash = p_token.next_hash AND n.used_at IS NULL);
END $$;

COMMENT ON FUNCTION refresh_answer_lost IS
'Whether a used token is repeated by a client that did not get the reply: the token was used moments ago,
and its successor was never used.
Called by do_enter_refresh.';
