CREATE OR REPLACE FUNCTION do_admin_lost_tables(p_key_hash bytea, p_after bigint, p_unused bigint,
                                                p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:lost_tables', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', t.body::text, t.table_id, 0::bigint, 0::bigint
        FROM admin_tables_json(ARRAY(
            SELECT l.table_id FROM lost_tables l
            WHERE l.ended_at IS NULL AND (p_after IS NULL OR l.table_id > p_after)
            ORDER BY l.table_id LIMIT p_limit)) t
        ORDER BY t.table_id;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_lost_tables IS
'A page of the lost tables that have not been ended, oldest first; the first row is the head.
Refusals: those of admin_begin.
Called by api.';
