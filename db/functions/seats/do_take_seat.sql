CREATE OR REPLACE FUNCTION do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea,
                                        p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
    v_player players;
    v_room   rooms;
    v_code   text;
    v_tables bigint[];
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := room_refusal(v_player, v_room);
        IF v_code IS NULL THEN
            v_tables := find_tables(v_room, ARRAY[p_player], p_node, ARRAY[p_server_seed], ARRAY[p_commit]);
            v_answer := (seat_answers(ARRAY[p_player], v_tables, seat_players(v_tables, ARRAY[p_player]),
                                      ARRAY[p_ticket]))[1];
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
Locks: the player first, then the room''s queue, unless a table is found at once; it never waits for a table.
Everything else locks the table before its players.
Called by api.';
