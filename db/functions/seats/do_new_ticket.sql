CREATE OR REPLACE FUNCTION do_new_ticket(p_player bigint, p_table bigint, p_idem_key text, p_body_hash bytea,
                                         p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz,
                   commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_answer := idempotent_answer(p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
        SELECT p_ticket, s.table_id, s.player_id, s.seat,
               now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0)
        FROM seats s JOIN tables t ON t.id = s.table_id
        WHERE s.table_id = p_table AND s.player_id = p_player AND t.state IN ('waiting', 'playing');
        IF FOUND THEN
            SELECT jsonb_build_object('code', 'ok', 'table_id', t.id, 'seat', k.seat, 'ticket', k.id,
                                      'expires_at',
                                      k.expires_at, 'commit', encode(t.commit, 'hex'), 'node', t.node)
            INTO STRICT v_answer FROM tickets k JOIN tables t ON t.id = k.table_id WHERE k.id = p_ticket;
        ELSE
            v_answer := jsonb_build_object('code', CASE
                WHEN NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_player) THEN 'no_such_player'
                WHEN EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player)
                THEN 'table_over' ELSE 'no_such_seat' END);
        END IF;
        IF v_answer->>'code' <> 'no_such_player' THEN
            INSERT INTO idempotency (player_id, key, action, body_hash, answer)
            VALUES (p_player, p_idem_key, 'new_ticket:' || p_table, p_body_hash, v_answer);
        END IF;
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new;
END $$;

COMMENT ON FUNCTION do_new_ticket IS
'Another ticket for a seat one has.
Key: p_idem_key of the player, for this table. repeated: this is the answer of an earlier call.
Refusals: no_such_player, no_such_seat, table_over, idempotency_key_reused.
Called by api.';
