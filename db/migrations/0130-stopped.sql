-- The clock of a turn stands still while nobody is there to play it. What a turn has left after a restart is told by
-- when the process that had the table before was last heard, which the start of the next one must not write over.

-- seen_at: the last word of a process that plays; one that ended before it did says none.
-- stopped_at: the last word of the process before.
ALTER TABLE nodes ADD COLUMN seen_at timestamptz, ADD COLUMN stopped_at timestamptz;
UPDATE nodes SET seen_at = alive_at;
-- The last word of the node a table was taken over from, until the node that has it now is started again.
ALTER TABLE tables ADD COLUMN stopped_at timestamptz;

-- As before (0008).
CREATE OR REPLACE FUNCTION do_node_start(p_name text) RETURNS TABLE (code text, epoch bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running', NULL::bigint;
        RETURN;
    END IF;
    UPDATE tables SET stopped_at = NULL
    WHERE node = p_name AND state IN ('waiting', 'playing') AND stopped_at IS NOT NULL
      AND EXISTS (SELECT 1 FROM nodes n WHERE n.name = p_name AND n.seen_at > tables.stopped_at);
    RETURN QUERY INSERT INTO nodes AS n (name, epoch) VALUES (p_name, 1)
                 ON CONFLICT (name) DO UPDATE SET epoch = n.epoch + 1, alive_at = now(), stopped_at = n.seen_at
                 RETURNING 'ok', n.epoch;
END $$;

-- As before (0008).
CREATE OR REPLACE FUNCTION do_node_alive(p_name text, p_epoch bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE nodes SET alive_at = now(), seen_at = now() WHERE name = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END;
END $$;

-- As before (0008).
CREATE OR REPLACE FUNCTION do_adopt_tables(p_name text, p_epoch bigint) RETURNS TABLE (table_id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_node record;
    v_lock bigint;
BEGIN
    IF NOT node_holds(p_name, p_epoch) THEN
        RETURN;
    END IF;
    FOR v_node IN SELECT n.name, n.seen_at FROM nodes n
                  WHERE n.name <> p_name
                    AND EXISTS (SELECT 1 FROM tables t WHERE t.node = n.name AND t.state IN ('waiting', 'playing'))
                  ORDER BY n.name LOOP
        v_lock := hashtextextended('rummyd node ' || v_node.name, 0);
        CONTINUE WHEN NOT pg_try_advisory_xact_lock(v_lock);
        UPDATE nodes SET epoch = epoch + 1 WHERE name = v_node.name;
        RETURN QUERY UPDATE tables SET node = p_name, stopped_at = v_node.seen_at
                     WHERE node = v_node.name AND state IN ('waiting', 'playing') RETURNING id;
    END LOOP;
END $$;
