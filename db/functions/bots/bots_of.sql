CREATE OR REPLACE FUNCTION bots_of(p_owner bigint) RETURNS bigint[]
    LANGUAGE sql STABLE AS $$
    SELECT ARRAY(SELECT player_id FROM bot_accounts WHERE owner_id = p_owner ORDER BY player_id)
$$;

COMMENT ON FUNCTION bots_of IS
'The bot accounts of a player, including retired ones.
Called by deletion_begin, do_admin_ban.';
