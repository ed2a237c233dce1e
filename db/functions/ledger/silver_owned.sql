CREATE OR REPLACE FUNCTION silver_owned(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT p.balance + coalesce((SELECT sum(h.balance) FROM seats s
                                         JOIN accounts h ON h.kind = 'hold' AND h.table_id = s.table_id
                                                        AND h.player_id = s.player_id
                                                        AND h.currency = 'silver'
                                         WHERE s.player_id = p_player AND s.live), 0)::bigint
                      + coalesce((SELECT sum(e.paid_silver) FROM tournament_entries e
                                  WHERE e.player_id = p_player AND e.live), 0)::bigint
            FROM accounts p
            WHERE p.kind = 'purse' AND p.player_id = p_player AND p.currency = 'silver');
END $$;

COMMENT ON FUNCTION silver_owned IS
'Silver that a player owns: in the purse, held at tables, and paid to enter tournaments that are not over. All
of it counts towards the cap, so that a stake or an entry can always be refunded in full and no purse ever
exceeds the cap.
Called by settle_chips, silver_over_cap.';
