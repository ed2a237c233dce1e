CREATE OR REPLACE FUNCTION do_shop_claim_refunds(p_provider text, p_max integer)
    RETURNS TABLE (id bigint, token uuid, payment text)
    LANGUAGE sql AS $$
    UPDATE shop_refunds r SET asked_at = clock_timestamp(), asks = r.asks + 1
    FROM shop_orders o
    WHERE o.id = r.order_id AND r.id = ANY (ARRAY(
        SELECT w.id FROM shop_refunds w JOIN shop_orders s ON s.id = w.order_id
        WHERE w.state = 'asked' AND s.provider = p_provider
          AND w.asked_at + make_interval(secs => least(
              setting_int('shop_query_max_s'),
              setting_int('shop_query_first_s') * power(2, least(greatest(w.asks - 1, 0), 30)))) <= now()
        ORDER BY w.asked_at LIMIT p_max FOR UPDATE OF w SKIP LOCKED))
    RETURNING r.id, r.token, o.payment_ref
$$;

COMMENT ON FUNCTION do_shop_claim_refunds IS
'Claims refunds without a reply, as do_shop_claim_due does orders without news.
Called by server.';
