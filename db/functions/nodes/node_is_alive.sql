CREATE OR REPLACE FUNCTION node_is_alive(p_name text) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM node_leases l
                   WHERE l.node = p_name AND l.state <> 'gone'
                     AND l.alive_at > now() - make_interval(secs => setting_int('node_lease_ms') / 1000.0))
$$;

COMMENT ON FUNCTION node_is_alive IS
'Whether the node reported within its lease. Only for display and selection; do_adopt_tables decides whether
a node is dead and its tables may be taken over.
Called by admin_nodes, do_admin_drain, do_admin_rebalance, do_adopt_tables, do_lobby_players, node_heir,
place_node, q_friends_online, q_peer_nodes, table_in_failover, waiting_tables.';
