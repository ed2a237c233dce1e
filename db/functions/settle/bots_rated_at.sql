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
'Whether the game of a table counts for its bot accounts. Players must not gain ranks by playing against
themselves, so the table must not be private, and a different person must be responsible for each seat: the
owner of a bot account, or a player who could own one. The game does not count if a guest or a house bot,
two bots of one owner, or a bot and its owner sit at the table.
Called by settle_store_games.';
