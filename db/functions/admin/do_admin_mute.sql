CREATE OR REPLACE FUNCTION do_admin_mute(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                         p_player bigint, p_hours bigint, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash,
                                     'mute', jsonb_build_object('player', p_player, 'hours', p_hours),
                                     p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        UPDATE players SET chat_muted_until = CASE
            WHEN p_hours > 0 THEN now() + make_interval(hours => p_hours::integer) END
        WHERE id = p_player AND deleted_at IS NULL;
        IF FOUND THEN
            INSERT INTO player_notes (player_id, key_id, text, about, hours)
            VALUES (p_player, v_call.key_id, p_reason, CASE WHEN p_hours > 0 THEN 'mute' ELSE 'unmute' END,
                    nullif(p_hours, 0));
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_mute IS
'Bars a player from chat for this many hours; 0: unmutes them.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown.
Called by api.';
