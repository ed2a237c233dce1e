CREATE OR REPLACE FUNCTION admin_nodes() RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'name', n.name, 'starts', n.starts, 'epoch', n.epoch, 'state', l.state,
               'alive', node_is_alive(n.name), 'alive_at', rfc3339(l.alive_at),
               'age_ms', greatest(0, extract(epoch FROM clock_timestamp() - l.alive_at) * 1000)::bigint,
               'ws_url', l.ws_url, 'version', l.version, 'table_max', l.table_max,
               'drain', l.drain,
               'sockets', l.sockets, 'tables', coalesce(t.tables, 0), 'people', coalesce(t.people, 0))
                              ORDER BY n.name), '[]')
    FROM (SELECT * FROM node_leases ORDER BY alive_at DESC LIMIT 100) l
    JOIN nodes n ON n.name = l.node
    LEFT JOIN (SELECT node, count(*) AS tables, sum(people_n) AS people FROM tables
               WHERE state IN ('waiting', 'playing') AND NOT asleep GROUP BY node) t ON t.node = n.name
$$;

COMMENT ON FUNCTION admin_nodes IS
'The 100 most recent nodes: number of starts, last report and its content, and running tables.
Called by do_admin_drain, do_admin_nodes, do_admin_status.';
