CREATE OR REPLACE FUNCTION q_shop_account(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('account', shop_account(p_player),
        'products', (SELECT coalesce(jsonb_agg(jsonb_build_object('store', store, 'product', product,
                                                                  'pack', pack_id)
                                               ORDER BY store, product), '[]') FROM shop_products))::text
$$;

COMMENT ON FUNCTION q_shop_account IS
'What an app needs to sell at its store: the buyer''s account token, and the pack of each product.
Called by api.';
