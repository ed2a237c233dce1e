CREATE OR REPLACE FUNCTION do_shop_claim_news(p_provider text, p_token uuid, p_ref text)
    RETURNS TABLE (id bigint, token uuid, ref text, product text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = (SELECT w.id FROM shop_orders w
                  WHERE w.provider = p_provider AND (w.token = p_token OR w.provider_ref = p_ref)
                    AND w.state <> 'created'
                  ORDER BY w.token = p_token DESC NULLS LAST LIMIT 1)
      AND (o.asked_at IS NULL OR o.asked_at
          <= now() - make_interval(secs => setting_int('shop_query_every_s')))
    RETURNING o.id, o.token, o.provider_ref, coalesce(o.product, '')
$$;

COMMENT ON FUNCTION do_shop_claim_news IS
'Claims the order about which a provider reports news, in order to query it; no row: it is not ours, or it
was queried just now.
Called by api.';
