CREATE OR REPLACE FUNCTION owner_ws_url(p_table bigint) RETURNS text
    LANGUAGE sql AS $$
    SELECT l.ws_url FROM tables t JOIN node_leases l ON l.node = t.node
    WHERE t.id = p_table AND l.ws_url <> '' AND NOT t.asleep
$$;

COMMENT ON FUNCTION owner_ws_url IS
'Public base of the sockets of the node that has this table now, including a table created in this very
statement; NULL: it has reported none, or the table sleeps and can wake on any node.
Called by api.';
