CREATE OR REPLACE FUNCTION do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea,
                                        p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
    v_player players;
    v_room   rooms;
    v_table  tables;
    v_code   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_room.id IS NULL THEN 'no_such_room'
                       WHEN NOT v_room.open THEN 'room_closed'
                       ELSE seat_refusal(p_player, v_room) END;
        IF v_code IS NULL THEN
            v_table := find_table(p_player, v_room, p_node, p_server_seed, p_commit);
            v_answer := seat_answer(p_player, v_table, seat_player(p_player, v_table), p_ticket);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'take_seat', p_body_hash, v_code, v_answer);
    END IF;
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_take_seat IS
'A seat in a room, with stake and ticket.
Key: p_idem_key of the player. repeated: this is the reply to an earlier call.
Refusals: no_such_player, banned, no_such_room, room_closed, room_locked, too_many_tables, no_funds,
idempotency_key_reused.
Locks: the player first, then the room''s queue; it never waits for a table. Everything else locks the table
before its players.
Called by api.';
