CREATE OR REPLACE FUNCTION bot_json(p_bot bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'banned', p.banned_at IS NOT NULL,
        'created_at', rfc3339(b.created_at),
        'tokens', (SELECT count(*) FROM bot_tokens t WHERE t.player_id = p.id AND t.expires_at > now()))
    FROM bot_accounts b JOIN players p ON p.id = b.player_id WHERE b.player_id = p_bot
$$;

COMMENT ON FUNCTION bot_json IS
'A bot account as its owner sees it. tokens: those that have not expired.
Called by do_bot_change, do_bot_make, q_bots.';
