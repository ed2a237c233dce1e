CREATE OR REPLACE FUNCTION bots_rated_at(p_table tables) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN p_table.bot_accounts AND p_table.visibility <> 'private' AND (
        SELECT count(b.player_id) > 0
               AND count(DISTINCT coalesce(b.owner_id, CASE WHEN bot_owner_refusal(s.player_id) IS NULL
                                                            THEN s.player_id END)) = p_table.seats_n
        FROM seats s LEFT JOIN bot_accounts b ON b.player_id = s.player_id WHERE s.table_id = p_table.id);
END $$;

COMMENT ON FUNCTION bots_rated_at IS
'Whether the game of a table counts for the bot accounts that sit there. A rank shall not be had by playing
against oneself: the table is not private, and each seat has somebody else who answers for it, the owner of a
bot account, or a person who might own one. A guest or a bot of the server at the table, two bots of one
owner, or a bot with its owner: then it does not count.
Called by settle_store_games.';
