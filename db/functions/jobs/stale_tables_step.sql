CREATE OR REPLACE FUNCTION stale_tables_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_table bigint;
    v_node  text;
    v_epoch bigint;
    v_code  text;
BEGIN
    SELECT t.id, t.node INTO v_table, v_node FROM tables t LEFT JOIN node_leases l ON l.node = t.node
    WHERE t.state IN ('waiting', 'playing') AND NOT t.asleep
      AND (l.alive_at < p_at - make_interval(secs => setting_int('stale_table_s'))) IS NOT false
    ORDER BY t.id LIMIT 1;
    IF v_table IS NULL OR NOT pg_try_advisory_xact_lock(hashtextextended('rummyd node ' || v_node, 0)) THEN
        SELECT table_id INTO v_table FROM lost_tables
        WHERE ended_at IS NULL
          AND at < p_at - make_interval(hours => setting_int('lost_table_hours')::integer)
        ORDER BY table_id LIMIT 1;
        RETURN CASE WHEN v_table IS NULL THEN ROW(false, '{"tables": 0}')::job_step
                    ELSE ROW(true, jsonb_build_object('tables', 0, 'lost',
                                                      end_table(v_table, 'lost')::integer))::job_step END;
    END IF;
    v_epoch := node_fence(v_node, 'gone');
    SELECT code INTO v_code FROM do_cancel_table(v_table, v_epoch, 'node gone');
    RETURN ROW(v_code = 'ok', jsonb_build_object('tables', (v_code = 'ok')::integer))::job_step;
END $$;

COMMENT ON FUNCTION stale_tables_step IS
'Cancels one table of a dead node that no other node has taken over. The node''s epoch changes first, so that
it can no longer write if it returns. Sleeping tables belong to no node and remain. If there is none left,
ends one table that has been lost for lost_table_hours.
Called by the job stale_tables.';
