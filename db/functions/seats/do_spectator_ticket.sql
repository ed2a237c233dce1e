CREATE OR REPLACE FUNCTION do_spectator_ticket(p_player bigint, p_table bigint, p_code text, p_idem_key text,
                                               p_body_hash bytea, p_ticket uuid)
    RETURNS TABLE (code text, table_id bigint, ticket uuid, expires_at timestamptz, delay_ms integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_table  tables;
    v_answer jsonb;
    v_code   text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player'
                   WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                   WHEN table_in_failover(p_table) THEN 'busy' END;
    IF v_code IS NOT NULL THEN
        RETURN QUERY SELECT v_code, NULL::bigint, NULL::uuid, NULL::timestamptz, NULL::integer;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'watch', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL
                         OR (v_table.visibility = 'private' AND v_table.code IS DISTINCT FROM p_code)
                             THEN 'no_such_table'
                       WHEN NOT club_admits(v_table.club_id, p_player) THEN 'not_club_member'
                       WHEN v_table.state = 'lost' THEN 'table_lost'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.watch_delay_ms IS NULL THEN 'not_watchable'
                       WHEN EXISTS (SELECT 1 FROM seats s
                                    WHERE s.table_id = p_table AND s.player_id = p_player)
                       THEN 'has_seat' END;
        IF v_code IS NULL THEN
            INSERT INTO tickets (id, table_id, player_id, expires_at)
            VALUES (p_ticket, p_table, p_player,
                    now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0))
            RETURNING jsonb_build_object('code', 'ok', 'table_id', table_id, 'ticket', id,
                                         'expires_at', expires_at, 'delay_ms', v_table.watch_delay_ms)
            INTO STRICT v_answer;
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'watch', p_body_hash, v_code, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'table_id')::bigint, (v_answer->>'ticket')::uuid,
                        (v_answer->>'expires_at')::timestamptz, (v_answer->>'delay_ms')::integer;
END $$;

COMMENT ON FUNCTION do_spectator_ticket IS
'A ticket to watch a table. A private table requires its code.
Key: p_idem_key of the player.
Refusals: no_such_player, banned, busy (as of do_new_ticket), no_such_table (also: a private table, with a
wrong code), not_club_member (it is a club''s), table_lost, table_over, not_watchable, has_seat (players do
not watch their own table), idempotency_key_reused.
Called by api.';
