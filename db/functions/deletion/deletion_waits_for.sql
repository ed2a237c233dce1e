CREATE OR REPLACE FUNCTION deletion_waits_for(p_player bigint) RETURNS text[]
    LANGUAGE sql STABLE AS $$
    SELECT array_remove(ARRAY[
        CASE WHEN EXISTS (SELECT 1 FROM seats WHERE player_id = p_player AND live)
               OR EXISTS (SELECT 1 FROM tournament_entries WHERE player_id = p_player AND live)
             THEN 'table' END,
        CASE WHEN EXISTS (SELECT 1 FROM shop_orders
                          WHERE player_id = p_player
                            AND state IN ('created', 'pending', 'refunding', 'disputed'))
               OR EXISTS (SELECT 1 FROM shop_refunds r JOIN shop_orders o ON o.id = r.order_id
                          WHERE o.player_id = p_player AND r.state = 'asked') THEN 'order' END], NULL)
$$;

COMMENT ON FUNCTION deletion_waits_for IS
'What has to end before an account can be deleted. table: a seat at a table, or an entry in a tournament, that
has not ended, so that a stake is held; order: a payment or refund is in progress.
Called by admin_player_json, deletion_json, erase_players_step.';
