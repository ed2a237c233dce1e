CREATE OR REPLACE FUNCTION socket_url(p_table bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT l.ws_url || '/ws/tables/' || t.id FROM tables t JOIN node_leases l ON l.node = t.node
    WHERE t.id = p_table AND t.state IN ('waiting', 'playing') AND l.ws_url <> '' AND NOT t.asleep
$$;

COMMENT ON FUNCTION socket_url IS
'Current address of the sockets of a live table; NULL: it is over, its node has reported none, or it sleeps
and can wake on any node.
Called by api, notification_shown, q_club_tables.';
