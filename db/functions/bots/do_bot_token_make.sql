CREATE OR REPLACE FUNCTION do_bot_token_make(p_owner bigint, p_bot bigint, p_idem_key text, p_body_hash bytea,
                                             p_name text, p_scopes text[], p_days integer,
                                             p_token_hash bytea, p_prefix text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_code   text;
    v_token  bot_tokens;
BEGIN
    PERFORM lock_players(ARRAY[p_owner]);
    v_answer := idempotent_answer(p_owner, p_idem_key, 'bot_token:' || p_bot, p_body_hash);
    IF v_answer IS NULL THEN
        v_code := bot_owner_refusal(p_owner);
        IF v_code = 'no_such_player' THEN
            RETURN QUERY SELECT v_code, NULL::text;
            RETURN;
        END IF;
        v_code := CASE WHEN v_code IS NOT NULL THEN v_code
                       WHEN bot_of(p_owner, p_bot) IS NULL THEN 'no_such_bot'
                       WHEN (SELECT count(*) FROM bot_tokens WHERE player_id = p_bot AND expires_at > now())
                            >= setting_int('bot_tokens_max') THEN 'too_many_bot_tokens' END;
        IF v_code IS NULL THEN
            INSERT INTO bot_tokens (player_id, name, scopes, token_hash, prefix, expires_at)
            VALUES (p_bot, p_name, p_scopes, p_token_hash, p_prefix, now() + make_interval(days => p_days))
            RETURNING * INTO v_token;
            v_answer := jsonb_build_object('code', 'ok', 'body', bot_token_json(v_token));
        END IF;
        v_answer := idempotent_keep(p_owner, p_idem_key, 'bot_token:' || p_bot, p_body_hash, v_code,
                                    v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', v_answer->>'body';
END $$;

COMMENT ON FUNCTION do_bot_token_make IS
'Creates a token of a bot. p_scopes: its permissions (api/scopes.def). p_prefix: the beginning of its text, by
which its owner recognizes it.
Key: p_idem_key of the owner, for this bot.
Refusals: those of bot_owner_refusal, no_such_bot (also: another player''s), too_many_bot_tokens,
idempotency_key_reused.
Locks: the owner.
Called by api.';
