CREATE OR REPLACE FUNCTION do_enter_bot(p_token_hash bytea, p_app text, p_system text, p_address text)
    RETURNS TABLE (code text, player_id bigint, session_id bigint, scopes text, expires_s bigint, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_token   bot_tokens;
    v_code    text;
    v_session bigint;
BEGIN
    SELECT * INTO v_token FROM bot_tokens WHERE token_hash = p_token_hash FOR NO KEY UPDATE;
    v_code := CASE WHEN v_token.id IS NULL THEN 'bot_token_invalid'
                   WHEN v_token.expires_at <= now() THEN 'bot_token_expired'
                   WHEN EXISTS (SELECT 1 FROM players WHERE id = v_token.player_id AND banned_at IS NOT NULL)
                   THEN 'banned'
                   ELSE (SELECT bot_owner_refusal(owner_id) FROM bot_accounts
                         WHERE player_id = v_token.player_id) END;
    IF v_code IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN v_code = 'no_such_player' THEN 'bot_token_invalid' ELSE v_code END,
                            NULL::bigint, NULL::bigint, NULL::text, NULL::bigint, NULL::text;
        RETURN;
    END IF;
    UPDATE sessions SET used_at = now(), network = coalesce(network_of(p_address), network)
    WHERE id = v_token.session_id AND ended_at IS NULL RETURNING id INTO v_session;
    IF v_session IS NULL THEN
        INSERT INTO sessions (player_id, app, system, network, idle_at, over_at)
        VALUES (v_token.player_id, p_app, p_system, network_of(p_address), v_token.expires_at,
                v_token.expires_at)
        RETURNING id INTO v_session;
    END IF;
    UPDATE bot_tokens SET used_at = now(), session_id = v_session WHERE id = v_token.id;
    RETURN QUERY SELECT 'ok', v_token.player_id, v_session, array_to_string(v_token.scopes, ' '),
                        ceil(extract(epoch FROM v_token.expires_at - now()))::bigint,
                        jsonb_build_object('id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar)::text
                 FROM players p WHERE p.id = v_token.player_id;
END $$;

COMMENT ON FUNCTION do_enter_bot IS
'Signs a program in with the token of a bot. All access tokens of one token belong to one session. p_app …:
as the client identified itself; NULL: unknown. expires_s: remaining lifetime of the token.
Refusals: bot_token_invalid (also: revoked), bot_token_expired, banned (the bot, or its owner),
deletion_pending (its owner is about to leave), bot_owner_unverified (their address is no longer confirmed).
Locks: the token, then its session.
Called by api.';
