CREATE OR REPLACE FUNCTION do_admin_end_sessions(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                                 p_player bigint, p_reason text)
    RETURNS TABLE (code text, body text, ended bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'end_sessions', jsonb_build_object('player', p_player),
                                      p_idem_key, p_body_hash);
    v_code  text := 'ok';
    v_ended bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        PERFORM lock_players(ARRAY[p_player]);
        IF EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL) THEN
            v_ended := sessions_end_of(p_player, NULL);
            DELETE FROM login_challenges WHERE player_id = p_player;
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, 'end_sessions');
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_ended;
END $$;

COMMENT ON FUNCTION do_admin_end_sessions IS
'Ends all sessions of a player, and sign-ins that wait for a second factor; the player must sign in again.
ended: sessions that this call ended; a repeat with an old key ends nothing and returns the first reply.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown.
Locks: the player, then sessions.
Called by api.';
