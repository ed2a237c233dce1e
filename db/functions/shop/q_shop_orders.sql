CREATE OR REPLACE FUNCTION q_shop_orders(p_player bigint, p_before bigint, p_limit bigint)
    RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT o.id, shop_order_json(o)::text FROM shop_orders o
    WHERE o.player_id = p_player AND o.id < p_before ORDER BY o.id DESC LIMIT p_limit
$$;

COMMENT ON FUNCTION q_shop_orders IS
'A page of a player''s orders, newest first. id: for the cursor.
Called by api.';
