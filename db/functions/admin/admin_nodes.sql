CREATE OR REPLACE FUNCTION admin_nodes() RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'name', n.name, 'starts', n.epoch, 'alive_at', rfc3339(n.alive_at),
               'alive', n.alive_at > now() - make_interval(secs => setting_int('node_dead_ms') / 1000.0),
               'tables', coalesce(t.tables, 0), 'people', coalesce(t.people, 0)) ORDER BY n.name), '[]')
    FROM (SELECT * FROM nodes ORDER BY alive_at DESC LIMIT 100) n
    LEFT JOIN (SELECT node, count(*) AS tables, sum(people_n) AS people FROM tables
               WHERE state IN ('waiting', 'playing') GROUP BY node) t ON t.node = n.name
$$;

COMMENT ON FUNCTION admin_nodes IS
'The nodes: how often each was started, when it was last heard, and what is played there. The hundred that
were heard last.
Called by do_admin_status.';
