CREATE OR REPLACE FUNCTION lock_joinable_table(p_player bigint, p_room rooms, p_node text) RETURNS tables
    LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_table tables;
BEGIN
    LOOP
        SELECT t.* INTO v_table FROM tables t
        WHERE t.id IN (SELECT j.id FROM joinable_tables(p_player, p_room, p_node) j)
          AND t.state = 'waiting' AND t.people_n < t.seats_n
        ORDER BY rating_bands(p_player, t), t.created_at, t.id LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED;
        EXIT WHEN NOT is_blocked_at(p_player, v_table.id);
    END LOOP;
    RETURN v_table;
END $$;

COMMENT ON FUNCTION lock_joinable_table IS
'Locks the joinable table that is not locked otherwise and whose players are most like the player, the oldest
among equals; NULL if there is none. A player whom they must not meet may have sat down in the meantime, so
the players are checked again once the row is locked and they can no longer change. Such a table is not found
a second time.
Called by find_table.';
