CREATE OR REPLACE FUNCTION do_admin_cancel(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                           p_table bigint, p_reason text)
    RETURNS TABLE (code text, body text, cancels bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call  admin_call := admin_begin(p_key_hash,
                                      'cancel_table', jsonb_build_object('table', p_table,
                                                                         'reason', p_reason),
                                      p_idem_key, p_body_hash);
    v_table tables;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables t WHERE t.id = p_table FOR NO KEY UPDATE;
    IF v_call.answer IS NULL THEN
        v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                       WHEN v_table.state = 'lost' AND end_table(p_table, 'by_operator') THEN 'ok'
                       WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                       ELSE 'ok' END;
        IF v_code = 'ok' THEN
            UPDATE tables t SET cancel_asked_at = now()
            WHERE t.id = p_table AND t.state IN ('waiting', 'playing') AND t.cancel_asked_at IS NULL;
        END IF;
        v_call.answer := admin_end(v_call, v_code, (SELECT body FROM admin_tables_json(ARRAY[p_table])));
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', v_call.answer->>'body',
                        CASE WHEN v_call.answer->>'code' = 'ok' AND v_table.state IN ('waiting', 'playing')
                             THEN p_table END;
END $$;

COMMENT ON FUNCTION do_admin_cancel IS
'Requests the end of a table; every stake is refunded as it was held. The node that owns the game ends it;
tables.cancel_asked_at remains set until then. cancels: the table, if the nodes must be notified. A lost
table, which no node owns, is ended here.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_table, table_over.
Called by api.';
