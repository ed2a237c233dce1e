CREATE OR REPLACE FUNCTION do_admin_cancel(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                           p_table bigint, p_reason text, p_node text)
    RETURNS TABLE (code text, body text, to_tell boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash,
                                      'cancel_table', jsonb_build_object('table', p_table,
                                                                         'reason', p_reason),
                                      p_idem_key, p_body_hash);
    v_table tables;
    v_epoch bigint;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables t WHERE t.id = p_table;
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state = 'lost' AND end_table(p_table, 'by_operator') THEN 'ok'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       WHEN v_table.node = p_node OR v_table.asleep THEN 'ok'
                       WHEN NOT pg_try_advisory_xact_lock(hashtextextended('rummyd node ' || v_table.node, 0))
                          THEN 'table_elsewhere' END;
        IF v_code IS NULL THEN
            v_epoch := node_fence(v_table.node, 'gone');
            SELECT c.code INTO v_code FROM do_cancel_table(p_table, v_epoch, 'by_operator') c;
        END IF;
        v_call.answer := admin_end(v_call, v_code, admin_table_json(p_table));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', v_call.answer->>'body',
                        v_call.answer->>'code' = 'ok' AND (v_table.node = p_node OR v_table.asleep)
                            AND v_table.state IN ('waiting', 'playing');
END $$;

COMMENT ON FUNCTION do_admin_cancel IS
'Ends a table; every stake comes back as it was held. Its node does it, for it holds the game; to_tell: that
node is p_node, or it sleeps and p_node wakes it. A lost table, which no node has, is ended here; so is one
whose node is gone, as by the job stale_tables.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_table, table_over, table_elsewhere.
Called by api.';
