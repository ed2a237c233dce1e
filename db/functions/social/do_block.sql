CREATE OR REPLACE FUNCTION do_block(p_player bigint, p_other bigint, p_muted boolean, p_blocked boolean)
    RETURNS TABLE (code text, body text, seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_muted   boolean;
    v_blocked boolean;
    v_waiting bigint[] := CASE WHEN p_blocked THEN waiting_seats_lock(ARRAY[p_player]) END;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF p_player = p_other OR NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_other) THEN
        RETURN QUERY SELECT 'no_such_other', NULL::text, NULL::bigint[];
        RETURN;
    END IF;
    SELECT b.muted, b.blocked INTO v_muted, v_blocked FROM player_blocks b
    WHERE b.player_id = p_player AND b.other_id = p_other;
    IF NOT FOUND AND (p_muted OR p_blocked)
       AND (SELECT count(*) FROM player_blocks b
            WHERE b.player_id = p_player) >= setting_int('blocks_per_player_max') THEN
        RETURN QUERY SELECT 'too_many_blocks', NULL::text, NULL::bigint[];
        RETURN;
    END IF;
    v_muted := coalesce(p_muted, v_muted, false);
    v_blocked := coalesce(p_blocked, v_blocked, false);
    IF v_muted OR v_blocked THEN
        INSERT INTO player_blocks (player_id, other_id, muted, blocked)
        VALUES (p_player, p_other, v_muted, v_blocked)
        ON CONFLICT (player_id, other_id) DO UPDATE SET muted = v_muted, blocked = v_blocked;
    ELSE
        DELETE FROM player_blocks b WHERE b.player_id = p_player AND b.other_id = p_other;
    END IF;
    IF p_blocked THEN
        v_waiting := ARRAY(SELECT s.table_id FROM seats s
                           WHERE s.player_id = p_other AND s.table_id = ANY (v_waiting));
        PERFORM waiting_seats_leave(ARRAY[p_player], v_waiting);
        PERFORM withdraw_friend_requests(p_player, p_other);
        PERFORM withdraw_friend_requests(p_other, p_player);
        PERFORM withdraw_table_invites(p_player, p_other, NULL);
        PERFORM withdraw_table_invites(p_other, p_player, NULL);
    END IF;
    RETURN QUERY SELECT 'ok', jsonb_build_object('player_id', p_other::text, 'muted', v_muted,
                                                 'blocked', v_blocked)::text, v_waiting;
END $$;

COMMENT ON FUNCTION do_block IS
'Mutes or blocks another player, or ends that; NULL leaves one unchanged. A block withdraws the requests
between the two, and frees the blocker''s seats at waiting tables where the other sits, too. seats_of: those
tables, whose nodes must be notified.
Refusals: no_such_other (also: oneself), too_many_blocks.
Locks: waiting tables, then players.
Called by api.';
