CREATE OR REPLACE FUNCTION do_push_settings(p_player bigint, p_friend boolean, p_season boolean,
                                            p_table_invite boolean, p_your_turn boolean,
                                            p_mail_your_turn boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO push_settings AS s (player_id, friend, season, table_invite, your_turn, mail_your_turn)
    VALUES (p_player, coalesce(p_friend, true), coalesce(p_season, true), coalesce(p_table_invite, true),
            coalesce(p_your_turn, true), coalesce(p_mail_your_turn, false))
    ON CONFLICT (player_id) DO UPDATE
    SET friend = coalesce(p_friend, s.friend), season = coalesce(p_season, s.season),
        table_invite = coalesce(p_table_invite, s.table_invite),
        your_turn = coalesce(p_your_turn, s.your_turn),
        mail_your_turn = coalesce(p_mail_your_turn, s.mail_your_turn);
    RETURN QUERY SELECT 'ok', push_settings_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_push_settings IS
'What a player wants to be pushed and mailed; NULL leaves as it is.
Called by api.';
