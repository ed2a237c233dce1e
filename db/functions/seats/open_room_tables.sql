CREATE OR REPLACE FUNCTION open_room_tables(p_room rooms, p_node text, p_server_seeds bytea[],
                                            p_commits bytea[])
    RETURNS SETOF tables
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY
    INSERT INTO tables (room_id, variant, params, seats_n, stake, reward, multiplier_tenths, node,
                        server_seed, commit, fill_at, practice, bot_accounts)
    SELECT p_room.id, p_room.variant, p_room.params, p_room.seats_n, p_room.stake, p_room.reward,
           p_room.multiplier_tenths, place_node(p_node), u.server_seed, u.commit,
           now() + make_interval(secs => p_room.fill_wait_ms / 1000.0),
           p_room.bot_accounts, p_room.bot_accounts
    FROM unnest(p_server_seeds, p_commits) WITH ORDINALITY u (server_seed, commit, n)
    ORDER BY u.n
    RETURNING *;
END $$;

COMMENT ON FUNCTION open_room_tables IS
'Opens one table of a room for each seed, in this order, on a node with capacity. Tables at which bot
accounts may sit are practice tables.
Called by find_tables.';
