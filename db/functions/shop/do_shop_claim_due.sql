CREATE OR REPLACE FUNCTION do_shop_claim_due(p_provider text, p_max integer)
    RETURNS TABLE (id bigint, token uuid, ref text, product text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = ANY (ARRAY(
        SELECT w.id FROM shop_orders w
        WHERE w.state = 'pending' AND w.provider = p_provider
          AND coalesce(w.asked_at, w.created_at) + make_interval(secs => least(
              setting_int('shop_query_max_s'),
              setting_int('shop_query_first_s') * power(2, least(w.asks, 30)))) <= now()
        ORDER BY coalesce(w.asked_at, w.created_at) LIMIT p_max FOR UPDATE SKIP LOCKED))
    RETURNING o.id, o.token, o.provider_ref, coalesce(o.product, '')
$$;

COMMENT ON FUNCTION do_shop_claim_due IS
'Like do_shop_claim, for the orders that have been pending longest: after shop_query_first_s, then after twice
as long each time. Several servers may call this at once.
Called by server.';
