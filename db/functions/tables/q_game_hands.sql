CREATE OR REPLACE FUNCTION q_game_hands(p_game bigint)
    RETURNS TABLE (hand_no integer, server_seed bytea, record text)
    LANGUAGE sql STABLE AS $$
    SELECT h.hand_no, h.server_seed, h.record
    FROM games g JOIN tables t ON t.id = g.table_id JOIN hands h ON h.table_id = g.table_id
    WHERE g.id = p_game AND h.ended_at IS NOT NULL AND deal_is_open(t.deal_id)
$$;

COMMENT ON FUNCTION q_game_hands IS
'The server seed and the record of each hand of a game that is over; no row while others may still play its
deal.
Called by api, server.';
