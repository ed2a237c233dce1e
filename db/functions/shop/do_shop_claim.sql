CREATE OR REPLACE FUNCTION do_shop_claim(p_order bigint)
    RETURNS TABLE (id bigint, token uuid, ref text, product text)
    LANGUAGE sql AS $$
    UPDATE shop_orders o SET asked_at = clock_timestamp(), asks = asks + 1
    WHERE o.id = p_order AND o.state = 'pending'
      AND coalesce(o.asked_at, o.created_at)
          <= now() - make_interval(secs => setting_int('shop_query_every_s'))
    RETURNING o.id, o.token, o.provider_ref, coalesce(o.product, '')
$$;

COMMENT ON FUNCTION do_shop_claim IS
'Claims a pending order to query its provider; no row: another call has just done so.
Called by api.';
