CREATE OR REPLACE FUNCTION do_adopt_tables(p_name text, p_epoch bigint)
    RETURNS TABLE (table_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_node record;
    v_lock bigint;
BEGIN
    IF NOT node_has_epoch(p_name, p_epoch) THEN
        RETURN;
    END IF;
    FOR v_node IN SELECT n.name, n.seen_at FROM nodes n
                  WHERE n.name <> p_name
                    AND EXISTS (SELECT 1 FROM tables t
                                WHERE t.node = n.name AND t.state IN ('waiting', 'playing'))
                  ORDER BY n.name LOOP
        v_lock := hashtextextended('rummyd node ' || v_node.name, 0);
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(v_lock);
        UPDATE nodes SET epoch = epoch + 1 WHERE name = v_node.name;
        RETURN QUERY UPDATE tables SET node = p_name, stopped_at = v_node.seen_at
                     WHERE node = v_node.name AND state IN ('waiting', 'playing') RETURNING id;
    END LOOP;
END $$;

COMMENT ON FUNCTION do_adopt_tables IS
'Takes over the live tables of nodes whose process is gone, and returns them. The epoch of those nodes moves
on, so that a write of theirs still on its way fails. No rows when p_epoch is stale.
Called by db.';
