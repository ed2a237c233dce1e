CREATE OR REPLACE FUNCTION q_friends_online(p_here bigint[], p_node text, p_shown_max integer)
    RETURNS TABLE (player_id bigint, body text)
    LANGUAGE sql STABLE AS $$
    WITH here AS (SELECT unnest(p_here) AS id),
    pairs AS (
        SELECT h.id AS player, f.to_id AS friend FROM here h JOIN friends f ON f.from_id = h.id
        WHERE f.accepted_at IS NOT NULL
        UNION ALL
        SELECT h.id, f.from_id FROM here h JOIN friends f ON f.to_id = h.id WHERE f.accepted_at IS NOT NULL),
    others AS MATERIALIZED (
        SELECT node, epoch FROM node_leases WHERE node <> p_node AND node_is_alive(node)),
    elsewhere AS (
        SELECT DISTINCT l.player_id AS id FROM lobby_players l JOIN others o USING (node, epoch)
        WHERE l.player_id IN (SELECT friend FROM pairs)),
    about AS (
        SELECT p.player, n.nickname, n.avatar, p.friend, coalesce(t.state, 'lobby') AS state, t.table_id,
               row_number() OVER (PARTITION BY p.player ORDER BY t.state IS NULL, n.nickname, p.friend) AS n
        FROM pairs p JOIN players n ON n.id = p.friend LEFT JOIN here h ON h.id = p.friend
        LEFT JOIN elsewhere e ON e.id = p.friend
        LEFT JOIN LATERAL (
            SELECT t.state,
                   CASE WHEN t.visibility <> 'private' AND t.deal_id IS NULL
                             AND club_admits(t.club_id, p.player) THEN t.id END AS table_id
            FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player_id = p.friend AND s.live
                AND s.left_at IS NULL AND t.state <> 'lost'
            ORDER BY t.visibility = 'private' OR t.deal_id IS NOT NULL, t.state = 'playing' DESC, t.id DESC
            LIMIT 1) t ON true
        WHERE (h.id IS NOT NULL OR e.id IS NOT NULL OR t.state IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM player_blocks b WHERE b.blocked
                          AND ((b.player_id = p.player AND b.other_id = p.friend)
                               OR (b.player_id = p.friend AND b.other_id = p.player))))
    SELECT player, json_agg(json_build_object('player_id', friend::text, 'nickname', nickname,
                                              'avatar', avatar, 'state', state,
                                              'table_id', table_id::text) ORDER BY n)::text
    FROM about WHERE n <= p_shown_max GROUP BY player
$$;

COMMENT ON FUNCTION q_friends_online IS
'For each of these players (those in the lobby of p_node) who has friends online, a list of at most
p_shown_max friends, as the lobby sends it. Each friend is in this lobby, in the lobby of another live node,
or at a table. Excludes pairs of players if one has blocked the other. Private tables are not named, and
club tables only to members. A player without friends online gets no row.
Called by server.';
