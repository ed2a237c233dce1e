CREATE OR REPLACE FUNCTION do_bot_token_revoke(p_owner bigint, p_bot bigint, p_token bigint)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_bot bigint := bot_of(p_owner, p_bot);
BEGIN
    IF v_bot IS NULL THEN
        RETURN QUERY SELECT 'no_such_bot', NULL::bigint[];
    ELSIF NOT EXISTS (SELECT 1 FROM bot_tokens WHERE id = p_token AND player_id = v_bot) THEN
        RETURN QUERY SELECT 'no_such_bot_token', NULL::bigint[];
    ELSE
        RETURN QUERY SELECT 'ok', bot_tokens_end(v_bot, p_token);
    END IF;
END $$;

COMMENT ON FUNCTION do_bot_token_revoke IS
'Revokes a token of a bot, and ends its session.
Refusals: no_such_bot (also: another player''s), no_such_bot_token (also: another bot''s, or revoked before).
Called by api.';
