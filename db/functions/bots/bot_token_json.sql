CREATE OR REPLACE FUNCTION bot_token_json(p_token bot_tokens) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('id', p_token.id::text, 'name', p_token.name, 'scopes', p_token.scopes,
                              'prefix', p_token.prefix, 'created_at', rfc3339(p_token.created_at),
                              'used_at', rfc3339(p_token.used_at),
                              'expires_at', rfc3339(p_token.expires_at))
$$;

COMMENT ON FUNCTION bot_token_json IS
'A token of a bot as its owner sees it.
Called by do_bot_token_make, q_bot_tokens.';
