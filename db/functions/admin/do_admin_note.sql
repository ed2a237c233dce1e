CREATE OR REPLACE FUNCTION do_admin_note(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                         p_player bigint, p_text text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash,
                                     'note', jsonb_build_object('player', p_player),
                                     p_idem_key, p_body_hash);
    v_code text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        INSERT INTO player_notes (player_id, key_id, text) SELECT id, v_call.key_id, p_text FROM players
        WHERE id = p_player;
        IF NOT FOUND THEN
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_note IS
'Adds a note about a player. The text about the person is in player_notes, because the audit log is kept
forever.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown.
Called by api.';
