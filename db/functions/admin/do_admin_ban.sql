CREATE OR REPLACE FUNCTION do_admin_ban(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint,
                                        p_banned boolean, p_reason text)
    RETURNS TABLE (code text, body text, done boolean, ended bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call    admin_call := admin_begin(p_key_hash, CASE WHEN p_banned THEN 'ban' ELSE 'unban' END,
                                        jsonb_build_object('player', p_player),
                                        p_idem_key, p_body_hash);
    v_code    text := 'ok';
    v_done    boolean := false;
    v_people  bigint[] := p_player || bots_of(p_player);
    v_waiting bigint[];
    v_entered bigint[];
    v_ended   bigint[];
BEGIN
    IF v_call.answer IS NULL THEN
        IF p_banned THEN
            v_entered := entries_lock(p_player);
            v_waiting := waiting_seats_lock(v_people);
            PERFORM lock_players(v_people);
            PERFORM entries_leave(p_player, v_entered);
            PERFORM waiting_seats_leave(v_people, v_waiting);
            PERFORM slow_turns_end(v_people);
            PERFORM withdraw_requests(p_player);
            DELETE FROM tickets t WHERE t.player_id = ANY (v_people) AND t.expires_at > now();
            v_ended := bots_sessions_end(p_player);
        END IF;
        UPDATE players SET banned_at = CASE WHEN p_banned THEN coalesce(banned_at, now()) END
        WHERE id = p_player AND deleted_at IS NULL;
        v_done := FOUND;
        IF v_done THEN
            IF p_banned THEN
                PERFORM club_pass_owned(p_player);
            END IF;
            INSERT INTO player_notes (player_id, key_id, text, about)
            VALUES (p_player, v_call.key_id, p_reason, CASE WHEN p_banned THEN 'ban' ELSE 'unban' END);
            PERFORM webhook_put(CASE WHEN p_banned THEN 'player.banned' ELSE 'player.unbanned' END,
                                jsonb_build_object('player_id', p_player::text));
        ELSE
            v_code := 'player_unknown';
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN admin_player_json(p_player) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_done, v_ended;
END $$;

COMMENT ON FUNCTION do_admin_ban IS
'Bans a player, or lifts the ban (p_banned false). docs/state-changes.md lists the effects on everything in
progress: their own and their bots'' seats at waiting tables are given back, as are entries in tournaments
that have not begun; at a running table, the node leaves for them; their pending requests are withdrawn, and
their clubs pass to others. done: this call did it; a repeat with an old key does nothing and returns the
first reply. ended: sessions of their bots. Each node finds the tables of banned players by itself
(q_banned_players), after it has closed their sockets.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown.
Locks: tournaments they have entered, their waiting tables, then players.
Called by api.';
