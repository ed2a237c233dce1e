CREATE OR REPLACE FUNCTION do_push_settings(p_player bigint, p_friend boolean, p_season boolean,
                                            p_table_invite boolean)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO push_settings AS s (player_id, friend, season, table_invite)
    VALUES (p_player, coalesce(p_friend, true), coalesce(p_season, true), coalesce(p_table_invite, true))
    ON CONFLICT (player_id) DO UPDATE
    SET friend = coalesce(p_friend, s.friend), season = coalesce(p_season, s.season),
        table_invite = coalesce(p_table_invite, s.table_invite);
    RETURN QUERY SELECT 'ok', push_settings_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_push_settings IS
'What a player wants to be pushed; NULL leaves as it is.
Called by api.';
