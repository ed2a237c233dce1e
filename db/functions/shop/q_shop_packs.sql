CREATE OR REPLACE FUNCTION q_shop_packs()
    RETURNS TABLE (body text)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'gold', gold, 'amount', price_minor,
                                                 'currency', currency) ORDER BY position), '[]')::text
    FROM shop_packs WHERE on_sale
$$;

COMMENT ON FUNCTION q_shop_packs IS
'The packs on sale, as JSON.
Called by api.';
