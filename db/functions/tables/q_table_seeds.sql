CREATE OR REPLACE FUNCTION q_table_seeds(p_table bigint)
    RETURNS TABLE (hand_no integer, server_seed bytea, deal_seed bytea)
    LANGUAGE sql STABLE AS $$
    SELECT NULL, t.server_seed, (SELECT d.seed FROM deals d WHERE d.id = t.deal_id)
    FROM tables t WHERE t.id = p_table AND t.state IN ('waiting', 'playing')
    UNION ALL
    SELECT h.hand_no, h.server_seed, NULL
    FROM hands h JOIN tables t ON t.id = h.table_id
    WHERE t.id = p_table AND t.state IN ('waiting', 'playing')
$$;

COMMENT ON FUNCTION q_table_seeds IS
'The server seeds of one waiting or running table, for the node that deals it or takes it over: the seed of
the table (hand_no NULL), with that of a shared deal, and the seed of each hand so far. Returns no row for
other tables. The server has no other way to read a seed.
Called by api.';
