CREATE OR REPLACE FUNCTION do_adopt_tables(p_name text, p_epoch bigint, p_from text, p_renewals bigint,
                                           p_max integer)
    RETURNS TABLE (table_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_from  node_leases;
    v_left  integer;
    v_room  integer;
    v_rooms bigint;
BEGIN
    SELECT * INTO v_from FROM node_leases
    WHERE node = p_from AND node <> p_name AND renewals = p_renewals FOR UPDATE SKIP LOCKED;
    IF v_from.node IS NULL OR NOT node_has_epoch(p_name, p_epoch) THEN
        RETURN;
    END IF;
    SELECT sum(table_max - tables) FILTER (WHERE node = p_name), sum(table_max - tables)
    INTO v_room, v_rooms
    FROM node_leases WHERE table_max > tables AND state = 'ready' AND node_is_alive(node);
    PERFORM 1 FROM nodes WHERE name = p_from FOR UPDATE SKIP LOCKED;
    IF NOT FOUND OR v_room IS NULL THEN
        RETURN;
    END IF;
    IF v_from.state <> 'gone' THEN
        PERFORM node_fence(p_from, 'gone');
    END IF;
    SELECT count(*) INTO v_left FROM tables
    WHERE node = p_from AND state IN ('waiting', 'playing') AND NOT asleep;
    RETURN QUERY
    UPDATE tables SET node = p_name, stopped_at = coalesce(v_from.seen_at, stopped_at)
    WHERE id IN (SELECT t.id FROM tables t WHERE t.node = p_from AND t.state IN ('waiting', 'playing')
                   AND NOT t.asleep
                 ORDER BY t.id
                 LIMIT least(p_max, v_room, ceil(v_left::numeric * v_room / v_rooms))
                 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id;
END $$;

COMMENT ON FUNCTION do_adopt_tables IS
'Takes over at most p_max tables of a dead node, and returns them. It takes the fraction of the remaining
tables that corresponds to this node''s part of the free capacity of all ready nodes. The caller has
observed by its own clock that p_renewals of that node has not grown for the length of a lease. First, the
epoch of the dead node changes, so that its pending writes fail. No rows: the other node reported after all,
p_epoch is stale, there is no capacity, or these rows are locked by a pending write or by another node.
Sleeping tables belong to no node.
Called by db.';
