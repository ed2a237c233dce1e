CREATE OR REPLACE FUNCTION q_bot_tokens(p_owner bigint, p_bot bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_bot bigint := bot_of(p_owner, p_bot);
BEGIN
    RETURN QUERY
    SELECT CASE WHEN v_bot IS NULL THEN 'no_such_bot' ELSE 'ok' END,
           jsonb_build_object('items', coalesce(jsonb_agg(bot_token_json(t) ORDER BY t.id), '[]'),
                              'max', setting_int('bot_tokens_max'))::text
    FROM bot_tokens t WHERE t.player_id = v_bot AND t.expires_at > now();
END $$;

COMMENT ON FUNCTION q_bot_tokens IS
'The unexpired tokens of a bot, oldest first.
Refusals: no_such_bot (also: another player''s).
Called by api.';
