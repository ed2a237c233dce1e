CREATE OR REPLACE FUNCTION do_join_table(p_player bigint, p_table bigint, p_code text, p_idem_key text,
                                         p_body_hash bytea, p_ticket uuid)
    RETURNS seat_taken
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb;
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
        RETURN jsonb_populate_record(NULL::seat_taken, '{"code": "no_such_player"}');
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'join_table', p_body_hash);
    IF v_answer IS NULL THEN
        SELECT s.seat INTO v_seat FROM seats s WHERE s.table_id = v_table.id AND s.player_id = p_player;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state = 'lost' THEN 'table_lost'
                       WHEN v_table.state IN ('finished', 'cancelled') THEN 'table_over'
                       WHEN v_seat IS NOT NULL THEN NULL
                       WHEN NOT club_admits(v_table.club_id, p_player) THEN 'not_club_member'
                       WHEN v_table.state <> 'waiting' OR v_table.people_n >= v_table.seats_n
                          THEN 'table_full'
                       WHEN seat_limit_reached(p_player, v_table.turn_hours IS NOT NULL)
                          THEN 'too_many_tables'
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
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'join_table', p_body_hash, v_code, v_answer);
    END IF;
    RETURN jsonb_populate_record(NULL::seat_taken, v_answer);
END $$;

COMMENT ON FUNCTION do_join_table IS
'A seat at a player-opened table, which is public (by id) or private (by code; the other argument is NULL).
A player who has a seat there gets another ticket. Until the cards are dealt, a human player replaces a bot
if no other seat is free.
Key: p_idem_key of the player. repeated: this is the reply to an earlier call.
Refusals: no_such_player, banned, no_such_table, table_lost, table_over, not_club_member (it is a club''s),
table_full (or playing), too_many_tables, blocked, idempotency_key_reused, and those of stake_refusal.
Called by api.';
