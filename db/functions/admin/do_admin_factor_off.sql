CREATE OR REPLACE FUNCTION do_admin_factor_off(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                               p_player bigint, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'factor_off', jsonb_build_object('player', p_player),
                                     p_idem_key, p_body_hash);
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL)
                       THEN factor_end(p_player) ELSE 'player_unknown' END;
        IF v_code = 'ok' THEN
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, 'factor_off');
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_factor_off IS
'Switches off the second factor of a player who has lost it with all recovery codes; an email notifies them.
From then on, the password alone opens the account.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown, factor_off.
Called by api.';
