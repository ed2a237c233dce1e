CREATE OR REPLACE FUNCTION do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text,
                                         p_body_hash bytea, p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamptz,
                   commit bytea, node text, repeated boolean, join_code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
BEGIN
    IF p_code IS NULL THEN
        SELECT * INTO v_table FROM tables t
        WHERE t.id = p_table AND t.visibility = 'public' FOR NO KEY UPDATE;
    ELSE
        SELECT * INTO v_table FROM tables t WHERE t.code = p_code AND t.state IN ('waiting', 'playing')
        FOR NO KEY UPDATE;
    END IF;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        code := 'no_such_player';
        RETURN NEXT;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'join_table', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state IN ('finished', 'cancelled') THEN 'table_over'
                       WHEN v_seat IS NOT NULL THEN NULL
                       WHEN v_table.state <> 'waiting' OR v_table.people_n >= v_table.seats_n
                          THEN 'table_full'
                       WHEN (SELECT count(*) FROM seats s WHERE s.player_id = p_player AND s.live)
                            >= setting_int('tables_per_player_max') THEN 'too_many_tables'
                       WHEN is_blocked_at(p_player, v_table.id) THEN 'blocked'
                       ELSE stake_refusal(p_player, v_table.variant, v_table.visibility, v_table.bots_n,
                                          CASE WHEN v_table.point_value > 0 THEN 0 ELSE v_table.stake END,
                                          v_table.point_value, false) END;
        IF v_code IS NULL THEN
            IF v_seat IS NULL AND v_table.people_n + v_table.bots_n >= v_table.seats_n THEN
                UPDATE tables t SET bots_n = bots_n - 1 WHERE t.id = v_table.id;
            END IF;
            v_seat := coalesce(v_seat, seat_player(p_player, v_table));
            v_answer := seat_answer(p_player, v_table, v_seat, p_ticket);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'join_table', p_body_hash, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'seat')::smallint,
                        (v_answer->>'ticket')::uuid, (v_answer->>'expires_at')::timestamptz,
                        decode(v_answer->>'commit', 'hex'), v_answer->>'node', NOT v_new,
                        v_answer->>'join_code';
END $$;

COMMENT ON FUNCTION do_join_table IS
'A seat at a table of players: at a public one by its id, at a private one by its code (the other is NULL).
Who has a seat there gets another ticket. Until the cards are dealt a person takes the place of a bot when
no other seat is free.
Key: p_idem_key of the player. repeated: this is the answer of an earlier call.
Refusals: no_such_player, banned, no_such_table, table_over, table_full (or playing), too_many_tables,
blocked, idempotency_key_reused, and those of stake_refusal.
Called by api.';
