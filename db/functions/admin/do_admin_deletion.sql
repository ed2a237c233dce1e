CREATE OR REPLACE FUNCTION do_admin_deletion(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                             p_player bigint, p_deleted boolean, p_reason text)
    RETURNS TABLE (code text, body text, ended bigint[], seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, CASE WHEN p_deleted THEN 'delete' ELSE 'keep' END,
                                      jsonb_build_object('player', p_player), p_idem_key, p_body_hash);
    v_code   text;
    v_ended  bigint[];
    v_tables bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        IF p_deleted THEN
            SELECT b.code, b.ended, b.seats_of INTO v_code, v_ended, v_tables
            FROM deletion_begin(p_player, v_call.key_id, NULL) b;
        ELSE
            v_code := deletion_end(p_player);
        END IF;
        IF v_code = 'no_such_player' THEN
            v_code := 'player_unknown';
        ELSE
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, CASE WHEN p_deleted THEN 'delete' ELSE 'keep' END);
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_ended, v_tables;
END $$;

COMMENT ON FUNCTION do_admin_deletion IS
'Deletes an account at its owner''s written request, with the same grace period and emails as if they had done
it themselves; their sessions end. p_deleted false: cancels the deletion, no matter who requested it.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown (also: deleted already).
Locks: those of deletion_begin.
Called by api.';
