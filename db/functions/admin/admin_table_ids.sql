CREATE OR REPLACE FUNCTION admin_table_ids(p_before bigint, p_limit bigint, p_player bigint, p_state text,
                                           p_variant text, p_since_ms bigint, p_until_ms bigint)
    RETURNS bigint[]
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    RETURN ARRAY(
        SELECT t.id FROM tables t
        WHERE (p_before IS NULL OR t.id < p_before) AND (p_state IS NULL OR t.state = p_state)
          AND (p_player IS NULL OR t.id = ANY (ARRAY(
                 SELECT s.table_id FROM seats s WHERE s.player_id = p_player AND s.live
                 UNION ALL SELECT s.table_id FROM seats s WHERE s.player_id = p_player AND NOT s.live)))
          AND (p_variant IS NULL OR t.variant = p_variant)
          AND (p_since_ms IS NULL OR t.created_at >= to_timestamp(p_since_ms / 1000.0))
          AND (p_until_ms IS NULL OR t.created_at < to_timestamp(p_until_ms / 1000.0))
        ORDER BY t.id DESC LIMIT p_limit);
END $$;

COMMENT ON FUNCTION admin_table_ids IS
'The newest tables below p_before: with a seat of one player, in one state, of one variant, in a time range
(NULL: any). Planned at each call, so that omitted filters cost nothing. The tables of a player are an
array, which uses the index; a subquery in an OR would read all tables.
Called by do_admin_tables.';
