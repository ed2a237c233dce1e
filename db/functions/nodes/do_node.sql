CREATE OR REPLACE FUNCTION do_node_start(p_name text)
    RETURNS TABLE (code text, epoch bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_heard timestamptz;
BEGIN
    IF NOT pg_try_advisory_lock(hashtextextended('rummyd node ' || p_name, 0)) THEN
        RETURN QUERY SELECT 'node_running', NULL::bigint;
        RETURN;
    END IF;
    PERFORM slow_turns_extend();
    SELECT seen_at INTO v_heard FROM node_leases WHERE node = p_name FOR UPDATE;
    UPDATE tables SET stopped_at = NULL
    WHERE node = p_name AND state IN ('waiting', 'playing') AND NOT asleep AND v_heard > stopped_at;
    INSERT INTO nodes AS n (name, epoch) VALUES (p_name, 0)
    ON CONFLICT (name) DO UPDATE SET starts = n.starts + 1, stopped_at = v_heard;
    INSERT INTO node_leases AS l (node, epoch, state) VALUES (p_name, 0, 'starting')
    ON CONFLICT (node) DO UPDATE SET renewals = l.renewals + 1, alive_at = now(), drain = false, pass_n = 0;
    RETURN QUERY SELECT 'ok', node_fence(p_name, 'starting');
END $$;

COMMENT ON FUNCTION do_node_start IS
'A process takes its node''s name for the lifetime of the calling session. epoch: to be included in every
write for a table. Correspondence turns are extended by the time in which no node was running. The stop time
of tables that were taken over is removed if the node has reported since.
Refusals: node_running (another process has the name).
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
    IF NOT EXISTS (SELECT 1 FROM nodes WHERE name = p_name AND epoch = p_epoch) THEN
        PERFORM pg_advisory_unlock(hashtextextended('rummyd node ' || p_name, 0));
        RETURN QUERY SELECT 'stale_epoch';
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok';
END $$;

COMMENT ON FUNCTION do_node_resume IS
'Takes the name again after a lost connection, if no other process has had it since.
Refusals: node_running, stale_epoch.
Called by db.';
