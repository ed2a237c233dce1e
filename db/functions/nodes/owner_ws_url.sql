CREATE OR REPLACE FUNCTION owner_ws_url(p_table bigint) RETURNS text
    LANGUAGE sql AS $$
    SELECT l.ws_url FROM tables t JOIN node_leases l ON l.node = t.node
    WHERE t.id = p_table AND l.ws_url <> '' AND NOT t.asleep
$$;

COMMENT ON FUNCTION owner_ws_url IS
'Public base of the sockets of the node that has this table now, a table of this very statement included;
NULL: it has said none, or the table sleeps, which wakes on any.
Called by api.';
