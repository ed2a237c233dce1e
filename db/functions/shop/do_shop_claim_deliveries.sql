CREATE OR REPLACE FUNCTION do_shop_claim_deliveries(p_provider text, p_max integer)
    RETURNS TABLE (id bigint, token uuid, ref text, product text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = ANY (ARRAY(
        SELECT w.id FROM shop_orders w
        WHERE w.provider = p_provider AND w.product IS NOT NULL AND w.delivered_at IS NULL
          AND w.paid_at IS NOT NULL
          AND coalesce(w.asked_at, w.paid_at) + make_interval(secs => least(
              setting_int('shop_query_max_s'),
              setting_int('shop_query_first_s') * power(2, least(w.asks, 30)))) <= now()
        ORDER BY coalesce(w.asked_at, w.paid_at) LIMIT p_max FOR UPDATE SKIP LOCKED))
    RETURNING o.id, o.token, o.provider_ref, o.product
$$;

COMMENT ON FUNCTION do_shop_claim_deliveries IS
'Claims orders whose store could not be notified of the delivery yet, as do_shop_claim_due does orders without
news.
Called by server.';
