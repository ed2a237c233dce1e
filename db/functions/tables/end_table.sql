CREATE OR REPLACE FUNCTION end_table(p_table bigint, p_reason text) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_table tables;
    v_seat  seats;
    v_back  record;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    IF v_table.state IS NULL OR v_table.state IN ('finished', 'cancelled') THEN
        RETURN false;
    END IF;
    PERFORM do_lock_tables(ARRAY[p_table]);
    FOR v_seat IN SELECT * FROM seats WHERE table_id = p_table AND player_id IS NOT NULL
                  ORDER BY seat LOOP
        IF v_table.state = 'lost' THEN
            SELECT * INTO STRICT v_back FROM refund_held(v_seat, p_reason);
            PERFORM notify_player(v_seat.player_id, 'refund', jsonb_build_object(
                'table_id', p_table::text, 'variant', v_table.variant,
                'silver', v_back.silver, 'gold', v_back.gold));
        ELSE
            PERFORM refund_stake(v_seat, p_reason);
        END IF;
        IF v_table.solo_day IS NOT NULL THEN
            UPDATE solo_games SET games = games - 1
            WHERE player_id = v_seat.player_id AND day = v_table.solo_day AND games > 0;
        END IF;
    END LOOP;
    DELETE FROM journal WHERE table_id = p_table;
    IF v_table.deal_id IS NOT NULL THEN
        PERFORM end_deal_play(p_table);
    END IF;
    UPDATE seats SET live = false WHERE table_id = p_table;
    DELETE FROM slow_turns WHERE table_id = p_table;
    UPDATE tables SET state = 'cancelled', asleep = false, ended_at = now() WHERE id = p_table;
    UPDATE lost_tables SET ended_at = now() WHERE table_id = p_table;
    RETURN true;
END $$;

COMMENT ON FUNCTION end_table IS
'Ends a table without a result: every stake is refunded exactly, and a solo game is not counted. The players
of a lost table are notified of their refunds; what is known of it remains in lost_tables and lost_moves.
false: it had ended before, or there is no such table, and nothing was done.
Called by do_admin_cancel, do_cancel_table, stale_tables_step.';
