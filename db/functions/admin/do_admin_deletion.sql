CREATE OR REPLACE FUNCTION do_admin_deletion(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                             p_player bigint, p_deleted boolean, p_reason text)
    RETURNS TABLE (code text, body text, ended bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, CASE WHEN p_deleted THEN 'delete' ELSE 'keep' END,
                                      jsonb_build_object('player', p_player), p_idem_key, p_body_hash);
    v_code  text;
    v_ended bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN p_deleted THEN deletion_begin(p_player, v_call.key_id)
                       ELSE deletion_end(p_player) END;
        IF v_code = 'no_such_player' THEN
            v_code := 'player_unknown';
        ELSE
            v_ended := CASE WHEN p_deleted THEN sessions_end_of(p_player, NULL) END;
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, CASE WHEN p_deleted THEN 'delete' ELSE 'keep' END);
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_ended;
END $$;

COMMENT ON FUNCTION do_admin_deletion IS
'Deletes an account as its owner asked in writing, after the same time and with the same mails as if they had
done it themselves; their sessions end. p_deleted false: takes that back, whoever asked.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown (also: deleted already).
Locks: the player.
Called by api.';
