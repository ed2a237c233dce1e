CREATE OR REPLACE FUNCTION notify_player(p_player bigint, p_kind text, p_data jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data) VALUES (p_player, p_kind, p_data);
END $$;

COMMENT ON FUNCTION notify_player IS
'Writes a notification. p_kind defines the fields of p_data.
Called by add_to_counter, add_to_quests, do_counts_due, do_invite_friend, end_table, export_add,
monthly_prizes_step, notify_club, notify_club_members, notify_friend, notify_season_prize,
slow_turn_notify.';
