CREATE OR REPLACE FUNCTION do_node_start(p_name text)
    RETURNS TABLE (code text, epoch bigint)
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
                 ON CONFLICT (name) DO UPDATE SET epoch = n.epoch + 1, alive_at = now(),
                 stopped_at = n.seen_at
                 RETURNING 'ok', n.epoch;
END $$;

COMMENT ON FUNCTION do_node_start IS
'A process takes its node''s name, for the life of the session that calls this. epoch: stamp every write for
a table with it. Tables that were taken over from elsewhere forget when they stopped, if the node was heard
since.
Refusals: node_running (another process bears the name).
Called by db.';

CREATE OR REPLACE FUNCTION do_node_resume(p_name text, p_epoch bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running';
        RETURN;
    END IF;
    UPDATE nodes SET alive_at = now() WHERE name = p_name AND epoch = p_epoch;
    IF NOT FOUND THEN
        PERFORM pg_advisory_unlock(hashtextextended('rummyd node ' || p_name, 0));
        RETURN QUERY SELECT 'stale_epoch';
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_node_resume IS
'After a lost connection: takes the name again if nobody else had it since.
Refusals: node_running, stale_epoch.
Called by db.';

CREATE OR REPLACE FUNCTION do_node_alive(p_name text, p_epoch bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE nodes SET alive_at = now(), seen_at = now() WHERE name = p_name AND epoch = p_epoch;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'stale_epoch' END;
END $$;

COMMENT ON FUNCTION do_node_alive IS
'Says that the node still plays.
Refusals: stale_epoch.
Called by server.';
