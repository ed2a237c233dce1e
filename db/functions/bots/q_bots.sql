CREATE OR REPLACE FUNCTION q_bots(p_owner bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('items',
                                    coalesce(jsonb_agg(bot_json(player_id) ORDER BY player_id), '[]'),
                                    'max', setting_int('bots_per_player_max'))::text
    FROM bot_accounts WHERE owner_id = p_owner AND retired_at IS NULL;
END $$;

COMMENT ON FUNCTION q_bots IS
'The bots of a player, oldest first, and how many they may have.
Called by api.';
