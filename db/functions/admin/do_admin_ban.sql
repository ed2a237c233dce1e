CREATE OR REPLACE FUNCTION do_admin_ban(p_key_hash bytea, p_idem_key text, p_body_hash bytea, p_player bigint,
                                        p_banned boolean, p_reason text)
    RETURNS TABLE (code text, body text, done boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call    admin_call := admin_begin(p_key_hash, CASE WHEN p_banned THEN 'ban' ELSE 'unban' END,
                                        jsonb_build_object('player', p_player),
                                        p_idem_key, p_body_hash);
    v_code    text := 'ok';
    v_done    boolean := false;
    v_waiting bigint[];
    v_table   bigint;
BEGIN
    IF v_call.answer IS NULL THEN
        IF p_banned THEN
            v_waiting := ARRAY(SELECT s.table_id FROM seats s JOIN tables t ON t.id = s.table_id
                               WHERE s.player_id = p_player AND s.live AND t.state = 'waiting');
            PERFORM do_lock_tables(v_waiting);
            PERFORM lock_players(ARRAY[p_player]);
            FOREACH v_table IN ARRAY v_waiting LOOP
                PERFORM do_leave_seat(p_player, v_table);
            END LOOP;
            DELETE FROM tickets t WHERE t.player_id = p_player AND t.expires_at > now();
            PERFORM bots_sessions_end(p_player);
        END IF;
        UPDATE players SET banned_at = CASE WHEN p_banned THEN coalesce(banned_at, now()) END
        WHERE id = p_player AND deleted_at IS NULL;
        v_done := FOUND;
        IF v_done THEN
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
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text, v_done;
END $$;

COMMENT ON FUNCTION do_admin_ban IS
'Bans a player, or lifts the ban (p_banned false). Banned: no more seats, tickets, sessions; stakes of tables
that still wait come back, games that run go on without them; their bots are sent
out, too.
done: by this call; of a repeat with an old key only the first answer is told, and nothing is done.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, player_unknown.
Locks: their waiting tables, then players.
Called by api.';
