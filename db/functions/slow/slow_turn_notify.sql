CREATE OR REPLACE FUNCTION slow_turn_notify(p_turn slow_turns) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_variant text;
BEGIN
    IF p_turn.told OR p_turn.due_at IS NULL THEN
        RETURN;
    END IF;
    SELECT variant INTO STRICT v_variant FROM tables WHERE id = p_turn.table_id;
    UPDATE slow_turns SET told = true WHERE table_id = p_turn.table_id AND seat = p_turn.seat;
    PERFORM notify_player(p_turn.player_id, 'your_turn', jsonb_build_object(
        'table_id', p_turn.table_id::text, 'variant', v_variant, 'v', p_turn.v,
        'ends_at', rfc3339(p_turn.due_at)));
    IF EXISTS (SELECT 1 FROM push_settings
               WHERE player_id = p_turn.player_id AND setting = 'mail_your_turn' AND wanted) THEN
        PERFORM mail_put(p_turn.player_id, NULL, 'your_turn', jsonb_build_object(
            'table', p_turn.table_id::text,
            'until', rfc3339(p_turn.due_at)));
    END IF;
END $$;

COMMENT ON FUNCTION slow_turn_notify IS
'Notifies a player once that it is their turn, by a notification, which may be pushed, and by an email if
they want one. A player on vacation is notified when they return.
Called by do_slow_turn, vacation_end.';
