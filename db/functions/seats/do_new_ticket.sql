CREATE OR REPLACE FUNCTION do_new_ticket(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea,
                                         p_ticket uuid)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
BEGIN
    IF table_in_failover(p_table) THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "busy"}');
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player) THEN
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash);
    IF v_answer IS NULL THEN
        SELECT * INTO v_table FROM tables WHERE id = p_table;
        SELECT seat INTO v_seat FROM seats WHERE table_id = p_table AND player_id = p_player;
        v_code := CASE WHEN v_seat IS NULL THEN 'no_such_seat'
                       WHEN v_table.state = 'lost' THEN 'table_lost'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over' END;
        IF v_code IS NULL THEN
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash, v_code,
                                    v_answer);
    END IF;
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_new_ticket IS
'Another ticket for the player''s seat.
Key: p_idem_key of the player, for this table. repeated: this is the reply to an earlier call.
Refusals: busy (its node is dead, and another one will take it over in a moment), no_such_player,
no_such_seat, table_lost, table_over, idempotency_key_reused.
Called by api.';
