CREATE OR REPLACE FUNCTION do_rematch(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea,
                                      p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer   jsonb;
    v_player   players;
    v_old      tables;
    v_old_seat smallint;
    v_table    tables;
    v_room     rooms;
    v_seat     smallint;
    v_code     text;
BEGIN
    SELECT * INTO v_old FROM tables t WHERE t.id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_table FROM tables t WHERE t.rematch_of = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    SELECT s.seat INTO v_old_seat FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player;
    v_answer := idempotent_answer(p_player, p_idem_key, 'rematch', p_body_hash);
    IF v_answer IS NULL THEN
        SELECT * INTO v_room FROM rooms r WHERE r.id = v_old.room_id;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_old.id IS NULL THEN 'no_such_table'
                       WHEN v_old_seat IS NULL THEN 'no_such_seat'
                       WHEN v_old.state IN ('waiting', 'playing') THEN 'game_running'
                       WHEN v_seat IS NOT NULL AND v_table.state IN ('waiting', 'playing') THEN NULL
                       WHEN v_old.state <> 'finished' OR v_old.visibility = 'house'
                         OR v_old.ended_at < now()
                             - make_interval(secs => setting_int('rematch_offer_ms') / 1000.0)
                         OR v_table.state <> 'waiting' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                       THEN 'rematch_over'
                       WHEN NOT club_admits(v_old.club_id, p_player) THEN 'not_club_member'
                       WHEN v_room.id IS NOT NULL AND NOT v_room.open THEN 'room_closed'
                       WHEN v_room.id IS NOT NULL AND seat_refusal(p_player, v_room) IS NOT NULL
                       THEN seat_refusal(p_player, v_room)
                       WHEN v_room.id IS NULL AND seat_limit_reached(p_player, v_old.turn_hours IS NOT NULL)
                       THEN 'too_many_tables'
                       WHEN v_table.id IS NULL AND v_old.code IS NOT NULL AND EXISTS (
                            SELECT 1 FROM tables t
                            WHERE t.code = v_old.code AND t.state IN ('waiting', 'playing'))
                       THEN 'busy'
                       WHEN is_blocked_at(p_player, v_table.id) THEN 'blocked'
                       WHEN v_room.id IS NULL
                       THEN stake_refusal(p_player, v_old.variant, v_old.visibility, v_old.bots_n,
                                          CASE WHEN v_old.point_value > 0 THEN 0 ELSE v_old.stake END,
                                          v_old.point_value, false) END;
        IF v_code IS NULL THEN
            IF v_table.id IS NULL THEN
                v_table := open_rematch(v_old, v_room, p_node, p_server_seed, p_commit);
            END IF;
            IF v_seat IS NULL THEN
                v_seat := seat_player(p_player, v_table);
                UPDATE tables t SET fill_at = now()
                WHERE t.id = v_table.id AND t.people_n >= v_old.people_n AND t.fill_at > now();
            END IF;
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'rematch', p_body_hash, v_code, v_answer);
    END IF;
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_rematch IS
'A seat at the rematch of the player''s last table; the first request opens it. A player who has a seat
there gets another ticket. Once all human players have joined, the table no longer waits.
Key: p_idem_key of the player. repeated: this is the reply to an earlier call.
Refusals: no_such_player, banned, no_such_table, no_such_seat, game_running, rematch_over (too late, begun,
full, or a table of the house), not_club_member (it is a club''s), room_closed, room_locked, too_many_tables,
no_funds, blocked (a player whom they must not meet sits there), busy, idempotency_key_reused, and those of
stake_refusal.
Called by api.';
