CREATE OR REPLACE FUNCTION bots_retire(p_owner bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bot_retire(player_id) FROM bot_accounts
    WHERE owner_id = p_owner AND retired_at IS NULL ORDER BY player_id;
END $$;

COMMENT ON FUNCTION bots_retire IS
'Retires the bots of a deleted account.
Called by erase_player.';
