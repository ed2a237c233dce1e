CREATE OR REPLACE FUNCTION do_admin_rebalance(p_key_hash bytea, p_idem_key text, p_body_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'rebalance_nodes', '{}', p_idem_key, p_body_hash);
    v_n    bigint;
BEGIN
    IF v_call.answer IS NULL THEN
        WITH ready AS MATERIALIZED (
            SELECT l.node, l.tables, l.table_max FROM node_leases l
            WHERE l.state = 'ready' AND NOT l.drain AND l.table_max > 0 AND node_is_alive(l.node)
            ORDER BY l.node FOR NO KEY UPDATE
        ), fair AS (
            SELECT sum(tables)::numeric / sum(table_max) AS part FROM ready
        ), told AS (
            UPDATE node_leases l SET pass_n = greatest(0, r.tables - ceil(r.table_max * f.part))
            FROM ready r, fair f WHERE l.node = r.node
            RETURNING l.pass_n
        )
        SELECT coalesce(sum(pass_n), 0) INTO v_n FROM told;
        v_call.answer := admin_end(v_call, 'ok', jsonb_build_object('tables', v_n));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', v_call.answer->>'body';
END $$;

COMMENT ON FUNCTION do_admin_rebalance IS
'Makes each node whose utilization exceeds the overall utilization hand over its excess tables. The nodes
are notified within 1 s; body: how many tables will move, by the nodes'' counts of the last second.
Key: p_idem_key of the API key.
Refusals: those of admin_begin.
Called by api.';
