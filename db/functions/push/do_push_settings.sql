CREATE OR REPLACE FUNCTION do_push_settings(p_player bigint, p_wanted text[], p_unwanted text[])
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO push_settings AS s (player_id, setting, wanted)
    SELECT p_player, setting, true FROM unnest(p_wanted) AS setting
    UNION ALL SELECT p_player, setting, false FROM unnest(p_unwanted) AS setting
    ON CONFLICT (player_id, setting) DO UPDATE SET wanted = EXCLUDED.wanted;
    RETURN QUERY SELECT 'ok', push_settings_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_push_settings IS
'Sets which events a player wants by push and email; other settings are not changed.
Called by api.';
