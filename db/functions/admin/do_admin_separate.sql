CREATE OR REPLACE FUNCTION do_admin_separate(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                             p_player bigint, p_other text, p_separated boolean,
                                             p_reason text)
    RETURNS TABLE (code text, body text, seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash, 'separate', jsonb_build_object(
        'player', p_player, 'other', p_other, 'separated', p_separated),
        p_idem_key, p_body_hash);
    v_other bigint := CASE WHEN p_other ~ '^[0-9]{1,18}$' THEN p_other::bigint END;
    v_code  text := 'ok';
    v_waiting bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        IF v_other = p_player OR (SELECT count(*) FROM players
                                  WHERE id IN (p_player, v_other) AND deleted_at IS NULL) < 2 THEN
            v_code := 'player_unknown';
        ELSIF p_separated THEN
            v_waiting := waiting_seats_lock(ARRAY[p_player]);
            PERFORM lock_players(ARRAY[p_player, v_other]);
            INSERT INTO separations (low_id, high_id)
            VALUES (least(p_player, v_other), greatest(p_player, v_other)) ON CONFLICT DO NOTHING;
            v_waiting := ARRAY(SELECT s.table_id FROM seats s
                               WHERE s.player_id = v_other AND s.table_id = ANY (v_waiting));
            PERFORM waiting_seats_leave(ARRAY[p_player], v_waiting);
            PERFORM withdraw_table_invites(p_player, v_other, NULL);
            PERFORM withdraw_table_invites(v_other, p_player, NULL);
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
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_waiting;
END $$;

COMMENT ON FUNCTION do_admin_separate IS
'Keeps two players apart at tables, or stops doing so (p_separated false). p_player leaves waiting tables
where both sit, and invitations between the two end. seats_of: those tables, whose nodes must be notified.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown (also: the other player is unknown, or both are the same).
Locks: waiting tables, then players.
Called by api.';
