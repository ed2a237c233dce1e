CREATE OR REPLACE FUNCTION do_admin_orders(p_key_hash bytea, p_before bigint, p_unused bigint,
                                           p_unused_too bigint, p_limit bigint, p_player bigint, p_state text,
                                           p_since_ms bigint, p_until_ms bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:orders', jsonb_strip_nulls(jsonb_build_object(
        'player', p_player, 'state', p_state)), NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', (shop_order_json(o) || jsonb_build_object('player_id', o.player_id::text,
                                                               'payment_ref', o.payment_ref))::text,
               o.id, 0::bigint, 0::bigint
        FROM shop_orders o
        WHERE (p_before IS NULL OR o.id < p_before) AND (p_player IS NULL OR o.player_id = p_player)
          AND (p_state IS NULL OR o.state = p_state)
          AND (p_since_ms IS NULL OR o.created_at >= to_timestamp(p_since_ms / 1000.0))
          AND (p_until_ms IS NULL OR o.created_at < to_timestamp(p_until_ms / 1000.0))
        ORDER BY o.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_orders IS
'A page of orders, newest first: of one player, in one state, in a time range; the first row is the head.
Planned at each call, so that omitted filters cost nothing.
Refusals: those of admin_begin.
Called by api.';
