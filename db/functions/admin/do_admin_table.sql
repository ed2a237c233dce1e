CREATE OR REPLACE FUNCTION do_admin_table(p_key_hash bytea, p_table bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:table', jsonb_build_object('table', p_table), NULL,
                                     NULL);
    v_body jsonb := admin_table_json(p_table);
BEGIN
    v_call.answer := coalesce(v_call.answer,
                              admin_end(v_call, CASE WHEN v_body IS NULL THEN 'no_such_table' ELSE 'ok' END,
                                        v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_table IS
'A table as an operator sees it.
Refusals: those of admin_begin, no_such_table.
Called by api.';
