CREATE OR REPLACE FUNCTION do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea,
                                        p_ticket uuid, p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid,
                   expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_room   rooms;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
    v_until  timestamptz;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::bigint, NULL::smallint, NULL::uuid, NULL::timestamptz,
        NULL::bytea,
                            NULL::text, false;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_room.id IS NULL THEN 'no_such_room'
                       WHEN NOT v_room.open THEN 'room_closed'
                       ELSE seat_refusal(p_player, v_room) END;
        IF v_code IS NULL THEN
            v_table := find_table(p_player, v_room, p_node, p_server_seed, p_commit);
            v_seat := seat_player(p_player, v_table);
            INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
            VALUES (p_ticket, v_table.id, p_player, v_seat,
                    now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0))
            RETURNING expires_at INTO v_until;
            v_answer := jsonb_build_object('code', 'ok', 'table_id', v_table.id, 'seat', v_seat,
                                           'ticket', p_ticket,
                                           'expires_at', v_until, 'commit', encode(v_table.commit, 'hex'),
                                           'node', v_table.node);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'take_seat', p_body_hash, v_answer);
    END IF;
    code := v_answer->>'code';
    table_id := v_answer->>'table_id';
    seat := v_answer->>'seat';
    ticket := v_answer->>'ticket';
    expires_at := v_answer->>'expires_at';
    commit := decode(v_answer->>'commit', 'hex');
    node := v_answer->>'node';
    repeated := NOT v_new;
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION do_take_seat IS
'A seat in a room, with stake and ticket. node: the owner of the table.
Key: p_idem_key of the player. repeated: this is the answer of an earlier call.
Refusals: no_such_player, banned, no_such_room, room_closed, room_locked, too_many_tables, no_funds,
idempotency_key_reused.
Locks: the player first, then the room''s queue; it never waits for a table. Everything else locks the table
before its players.
Called by api.';
