CREATE OR REPLACE FUNCTION purchased_minor(p_player bigint, p_at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(limit_worth(price_minor, currency)), 0)::bigint FROM shop_orders
    WHERE player_id = p_player AND created_at >= local_midnight(p_at) AND state NOT IN ('failed', 'expired')
$$;

COMMENT ON FUNCTION purchased_minor IS
'What a player has ordered today and has not canceled, converted to the currency of the limits.
Called by limit_order_guard, limits_json.';
