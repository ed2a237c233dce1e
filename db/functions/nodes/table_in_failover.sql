CREATE OR REPLACE FUNCTION table_in_failover(p_table bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM tables t JOIN node_leases l ON l.node = t.node
                   WHERE t.id = p_table AND t.state IN ('waiting', 'playing') AND NOT t.asleep
                     AND l.alive_at < now() - make_interval(secs => setting_int('node_lease_ms') / 2000.0)
                     AND EXISTS (SELECT 1 FROM node_leases o
                                 WHERE o.node <> t.node AND o.state = 'ready' AND node_is_alive(o.node)))
$$;

COMMENT ON FUNCTION table_in_failover IS
'Whether the node that has this table has not reported for half a lease, while other live nodes will soon
take the table over. A client should then retry in 1 s instead of connecting there.
Called by do_new_ticket, do_spectator_ticket.';
