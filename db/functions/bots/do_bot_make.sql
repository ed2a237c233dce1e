CREATE OR REPLACE FUNCTION do_bot_make(p_owner bigint, p_idem_key text, p_body_hash bytea, p_name jsonb,
                                       p_avatar text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_code   text;
    v_bot    bigint;
BEGIN
    PERFORM lock_players(ARRAY[p_owner]);
    v_answer := idempotent_answer(p_owner, p_idem_key, 'make_bot', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := bot_owner_refusal(p_owner);
        IF v_code = 'no_such_player' THEN
            RETURN QUERY SELECT v_code, NULL::text;
            RETURN;
        ELSIF v_code IS NULL AND (SELECT count(*) FROM bot_accounts
                                  WHERE owner_id = p_owner AND retired_at IS NULL)
                                 >= setting_int('bots_per_player_max') THEN
            v_code := 'too_many_bots';
        ELSIF v_code IS NULL THEN
            v_bot := do_create_named('bot', jsonb_build_array(p_name), coalesce(p_avatar, ''));
            IF v_bot IS NULL THEN
                v_code := 'name_taken';
            ELSE
                INSERT INTO bot_accounts (player_id, owner_id) VALUES (v_bot, p_owner);
                v_answer := jsonb_build_object('code', 'ok', 'body', bot_json(v_bot));
            END IF;
        END IF;
        v_answer := idempotent_keep(p_owner, p_idem_key, 'make_bot', p_body_hash, v_code, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', v_answer->>'body';
END $$;

COMMENT ON FUNCTION do_bot_make IS
'Creates a bot account, for which its owner is responsible. It has purses, but no chips. p_name: see
name_take.
Key: p_idem_key of the owner.
Refusals: those of bot_owner_refusal, too_many_bots, name_taken, idempotency_key_reused.
Locks: the owner.
Called by api.';
