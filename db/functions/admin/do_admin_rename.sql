CREATE OR REPLACE FUNCTION do_admin_rename(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                           p_player bigint, p_name jsonb, p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'rename', jsonb_build_object('player', p_player,
                                                                              'reason', p_reason),
                                     p_idem_key, p_body_hash);
    v_code text;
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := name_change(p_player, p_name, true);
        IF v_code = 'ok' THEN
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, 'rename');
        END IF;
        v_code := CASE v_code WHEN 'no_such_player' THEN 'player_unknown' ELSE v_code END;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_rename IS
'Gives a player another nickname (p_name, see name_take), regardless of their last change.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown, name_taken.
Locks: the player, then the keys of the name.
Called by api.';
