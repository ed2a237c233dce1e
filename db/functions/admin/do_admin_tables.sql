CREATE OR REPLACE FUNCTION do_admin_tables(p_key_hash bytea, p_before bigint, p_unused bigint,
                                           p_unused_too bigint, p_limit bigint, p_player bigint, p_state text,
                                           p_variant text, p_since_ms bigint, p_until_ms bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:tables', jsonb_strip_nulls(jsonb_build_object(
        'player', p_player, 'state', p_state, 'variant', p_variant)), NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', t.body::text, t.table_id, 0::bigint, 0::bigint
        FROM admin_tables_json(admin_table_ids(p_before, p_limit, p_player, p_state, p_variant, p_since_ms,
                                               p_until_ms)) t
        ORDER BY t.table_id DESC;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_tables IS
'A page of tables, newest first: with a seat of one player, in one state, of one variant, in a time range; the
first row is the head.
Refusals: those of admin_begin.
Called by api.';
