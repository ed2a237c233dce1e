CREATE OR REPLACE FUNCTION do_set_seed(p_table bigint, p_seat integer, p_seed bytea, p_epoch bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE seats s SET client_seed = p_seed
    FROM tables t, nodes n
    WHERE t.id = s.table_id AND n.name = t.node AND n.epoch = p_epoch AND s.table_id = p_table
      AND s.seat = p_seat AND t.deal_id IS NULL
      AND (t.state = 'waiting'
           OR t.state = 'playing' AND EXISTS (SELECT 1 FROM hands h
                                              WHERE h.table_id = t.id AND h.hand_no = t.hand_no
                                              AND h.dealt_at IS NULL));
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'seed_too_late' END;
END $$;

COMMENT ON FUNCTION do_set_seed IS
'Stores the client seed of a seat, while its table is waiting or is between two hands.
Refusals: seed_too_late (also: no such seat, or a stale epoch).
Called by db.';
