CREATE OR REPLACE FUNCTION joinable_tables(p_player bigint, p_room rooms, p_node text) RETURNS SETOF tables
    LANGUAGE sql STABLE AS $$
    SELECT t.*
    FROM waiting_tables(p_room, p_node) t
    WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player_id = p_player)
      AND NOT is_blocked_at(p_player, t.id)
$$;

COMMENT ON FUNCTION joinable_tables IS
'The tables of a room where a player could sit down: waiting ones without a player they must not meet.
Called by find_table, lock_joinable_table.';
