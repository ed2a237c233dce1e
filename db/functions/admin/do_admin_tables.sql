CREATE OR REPLACE FUNCTION do_admin_tables(p_key_hash bytea, p_before bigint, p_unused bigint,
                                           p_unused_too bigint, p_limit bigint, p_player bigint, p_state text,
                                           p_variant text, p_since_ms bigint, p_until_ms bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:tables', jsonb_strip_nulls(jsonb_build_object(
        'player', p_player, 'state', p_state, 'variant', p_variant)), NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', admin_table_json(x.id)::text, x.id, 0::bigint, 0::bigint
        FROM (SELECT t.id FROM tables t
              WHERE (p_before IS NULL OR t.id < p_before) AND (p_state IS NULL OR t.state = p_state)
                AND (p_player IS NULL OR t.id = ANY (ARRAY(
                       SELECT s.table_id FROM seats s WHERE s.player_id = p_player AND s.live
                       UNION ALL SELECT s.table_id FROM seats s WHERE s.player_id = p_player AND NOT s.live)))
                AND (p_variant IS NULL OR t.variant = p_variant)
                AND (p_since_ms IS NULL OR t.created_at >= to_timestamp(p_since_ms / 1000.0))
                AND (p_until_ms IS NULL OR t.created_at < to_timestamp(p_until_ms / 1000.0))
              ORDER BY t.id DESC LIMIT p_limit) x
        ORDER BY x.id DESC;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_tables IS
'A page of tables, newest first: with a seat of one player, in one state, of one variant, of a time; the first
row is the head. Planned at each call, for what is not asked for has to be no condition. The tables of a
player are an array, which the index takes; of a query in an OR it would read all tables.
Refusals: those of admin_begin.
Called by api.';
