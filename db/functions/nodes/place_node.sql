CREATE OR REPLACE FUNCTION place_node(p_asked text) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_node text;
BEGIN
    SELECT two.node INTO v_node
    FROM (SELECT l.node, round(100.0 * l.tables / l.table_max) AS load
          FROM node_leases l
          WHERE l.state = 'ready' AND l.tables < l.table_max AND node_is_alive(l.node)
            AND EXISTS (SELECT 1 FROM node_leases a WHERE a.node = p_asked)
          ORDER BY random() LIMIT 2) two
    ORDER BY two.load LIMIT 1;
    RETURN coalesce(v_node, p_asked);
END $$;

COMMENT ON FUNCTION place_node IS
'The node on which a requested table is opened: of two ready nodes, chosen at random, the less utilized one,
to the hundredth, by their reports of the last second, so that a burst of requests within that second does not
go to one node. The requested node if none is ready, or if it is not in the registry.
Called by do_open_table, open_deal_table, open_rematch, open_room_tables, tournament_open_tables.';
