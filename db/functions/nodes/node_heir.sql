CREATE OR REPLACE FUNCTION node_heir(p_node text, p_lighter boolean) RETURNS text
    LANGUAGE sql AS $$
    SELECT two.node
    FROM (SELECT l.node, round(100.0 * l.tables / l.table_max) AS load
          FROM node_leases l
          WHERE l.node <> p_node AND l.state = 'ready' AND l.tables < l.table_max AND l.ws_url <> ''
            AND node_is_alive(l.node)
            AND (NOT p_lighter OR l.tables::bigint * 100 / l.table_max < (
                SELECT m.tables::bigint * 100 / greatest(m.table_max, 1)
                FROM node_leases m WHERE m.node = p_node))
          ORDER BY random() LIMIT 2) two
    ORDER BY two.load LIMIT 1
$$;

COMMENT ON FUNCTION node_heir IS
'The node to which a table of this one is handed over: of two other ready nodes with capacity, chosen at
random, the less utilized one, by their reports of the last second. p_lighter: only nodes less utilized than
this one. NULL: there is none.
Called by do_hand_over_table.';
