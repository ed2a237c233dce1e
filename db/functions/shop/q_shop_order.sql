CREATE OR REPLACE FUNCTION q_shop_order(p_player bigint, p_order bigint)
    RETURNS TABLE (code text, body text, due boolean, provider text)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(x.code, 'no_such_order'), x.body, x.due, x.provider
    FROM (VALUES (1)) one LEFT JOIN (
        SELECT 'ok' AS code, shop_order_json(o)::text AS body, o.provider,
               o.state = 'pending' AND coalesce(o.asked_at, o.created_at) <= now()
                   - make_interval(secs => setting_int('shop_query_every_s')) AS due
        FROM shop_orders o WHERE o.id = p_order AND o.player_id = p_player) x ON true
$$;

COMMENT ON FUNCTION q_shop_order IS
'An order of a player. due: it waits for news, and is old enough to be queried.
Refusals: no_such_order.
Called by api.';
