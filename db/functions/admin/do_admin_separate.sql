CREATE OR REPLACE FUNCTION do_admin_separate(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                             p_player bigint, p_other text, p_separated boolean,
                                             p_reason text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'separate', jsonb_build_object(
        'player', p_player, 'other', p_other, 'separated', p_separated),
        p_idem_key, p_body_hash);
    v_other bigint := CASE WHEN p_other ~ '^[0-9]{1,18}$' THEN p_other::bigint END;
    v_code  text := 'ok';
BEGIN
    IF v_call.answer IS NULL THEN
        IF v_other = p_player OR (SELECT count(*) FROM players
                                  WHERE id IN (p_player, v_other) AND deleted_at IS NULL) < 2 THEN
            v_code := 'player_unknown';
        ELSIF p_separated THEN
            INSERT INTO separations (low_id, high_id)
            VALUES (least(p_player, v_other), greatest(p_player, v_other)) ON CONFLICT DO NOTHING;
        ELSE
            DELETE FROM separations WHERE low_id = least(p_player, v_other)
                AND high_id = greatest(p_player, v_other);
        END IF;
        IF v_code = 'ok' THEN
            INSERT INTO player_notes (player_id, key_id, text, about, other_id)
            SELECT one, v_call.key_id, p_reason, CASE WHEN p_separated THEN 'separate' ELSE 'reunite' END, two
            FROM (VALUES (p_player, v_other), (v_other, p_player)) pairs (one, two);
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_separate IS
'Keeps two players apart at tables, or lifts that (p_separated false).
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown (also: of the other one, and when they are one).
Called by api.';
