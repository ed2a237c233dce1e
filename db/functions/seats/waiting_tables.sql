CREATE OR REPLACE FUNCTION waiting_tables(p_room rooms, p_node text) RETURNS SETOF tables
    LANGUAGE sql STABLE AS $$
    SELECT t.*
    FROM tables t
    WHERE t.room_id = p_room.id AND t.state = 'waiting' AND t.people_n < t.seats_n
      AND t.variant = p_room.variant AND t.params = p_room.params AND t.stake = p_room.stake
      AND t.bot_accounts = p_room.bot_accounts
      AND (t.rematch_of IS NULL OR t.fill_at < now())
      AND (t.node = p_node OR node_is_alive(t.node))
$$;

COMMENT ON FUNCTION waiting_tables IS
'The tables of a room with a free seat, except rematches of others (which open to all after a while).
people_n is stored in the row itself, so that it is checked again after a lock.
Called by choose_tables.';
