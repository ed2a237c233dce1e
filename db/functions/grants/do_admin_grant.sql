CREATE OR REPLACE FUNCTION do_admin_grant(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                          p_player bigint, p_currency text, p_amount bigint, p_reason text,
                                          p_note text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call   admin_call := admin_begin(p_key_hash, 'grant', jsonb_build_object(
        'player', p_player, 'currency', p_currency, 'amount', p_amount, 'reason', p_reason),
        p_idem_key, p_body_hash);
    v_code   text       := 'ok';
    v_holder text;
    v_alone  boolean;
    v_day    bigint;
    v_grant  bigint;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT lower(holder COLLATE "C"), role <> 'support' INTO v_holder, v_alone
        FROM api_keys WHERE id = v_call.key_id;
        -- Serialized, because two concurrent grants could both use the remainder of the daily limit.
        PERFORM pg_advisory_xact_lock(hashtextextended('grants of ' || v_holder, 0));
        SELECT coalesce(sum(abs(g.amount)), 0) INTO v_day
        FROM chip_grants g JOIN api_keys k ON k.id = g.key_id
        WHERE lower(k.holder COLLATE "C") = v_holder AND g.currency = p_currency AND g.state = 'done'
          AND g.settled_by = g.key_id AND g.at > now() - interval '1 day';
        INSERT INTO chip_grants (player_id, key_id, currency, amount, reason, note)
        SELECT id, v_call.key_id, p_currency, p_amount, p_reason, p_note FROM players
        WHERE id = p_player AND deleted_at IS NULL RETURNING id INTO v_grant;
        IF v_grant IS NULL THEN
            v_code := 'player_unknown';
        ELSIF v_alone AND abs(p_amount) <= setting_int('grant_alone_' || p_currency)
              AND v_day + abs(p_amount) <= setting_int('grant_day_' || p_currency) THEN
            v_code := pay_grant(v_grant, v_call.key_id);
            IF v_code <> 'ok' THEN
                DELETE FROM chip_grants WHERE id = v_grant;
            END IF;
        END IF;
        v_call.answer := admin_end(v_call, v_code, CASE WHEN v_code = 'ok' THEN
            (SELECT grant_json(g) FROM chip_grants g WHERE g.id = v_grant) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_grant IS
'Gives chips to a player, or takes some: at once up to grant_alone_…, if the key holder''s grants of the day
stay within grant_day_…; beyond that, the grant waits for a second operator. A key of the role support can
only propose, so each of its grants waits.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown, purse_too_small.
Locks: the holder of the key, then those of pay_grant.
Called by api.';
