CREATE OR REPLACE FUNCTION q_peer_nodes(p_name text)
    RETURNS TABLE (node text, renewals bigint, lives boolean, ws_url text, version text, tables boolean,
                  lobby integer)
    LANGUAGE sql STABLE AS $$
    SELECT l.node, l.renewals, node_is_alive(l.node), l.ws_url, l.version,
           EXISTS (SELECT 1 FROM tables t WHERE t.node = l.node AND t.state IN ('waiting', 'playing')
                     AND NOT t.asleep),
           l.lobby
    FROM node_leases l WHERE l.node <> p_name ORDER BY l.alive_at DESC LIMIT 256
$$;

COMMENT ON FUNCTION q_peer_nodes IS
'The 256 most recent nodes other than the caller. renewals: grows while a node is alive; tables: whether it
has live tables that do not sleep; lobby: players in its lobby.
Called by db.';
