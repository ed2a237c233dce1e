CREATE OR REPLACE FUNCTION push_settings_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('push_friend', coalesce(bool_and(friend), true),
                              'push_season', coalesce(bool_and(season), true),
                              'push_table_invite', coalesce(bool_and(table_invite), true),
                              'push_your_turn', coalesce(bool_and(your_turn), true),
                              'mail_your_turn', coalesce(bool_and(mail_your_turn), false))
    FROM push_settings WHERE player_id = p_player
$$;

COMMENT ON FUNCTION push_settings_json IS
'What a player wants to be pushed and mailed; every push and no mail, as long as they have not said.
Called by do_push_settings, export_rows_account, q_push_settings.';
