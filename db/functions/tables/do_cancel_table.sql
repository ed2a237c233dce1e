CREATE OR REPLACE FUNCTION do_cancel_table(p_table bigint, p_epoch bigint, p_reason text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_table.state = 'cancelled' THEN 'already_done'
                   WHEN v_table.state = 'finished' THEN 'table_over'
                   WHEN NOT node_has_epoch(v_table.node, p_epoch) THEN 'stale_epoch'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        PERFORM end_table(p_table, p_reason);
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_cancel_table IS
'Ends a table without a result for the node that owns it, as end_table does; also a lost table.
Refusals: already_done, no_such_table, stale_epoch, table_over (finished).
Called by db, stale_tables_step.';
