CREATE OR REPLACE FUNCTION q_shop_check()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY
    SELECT 'order_differs', 'order ' || o.id, w.wrong
    FROM shop_orders o CROSS JOIN LATERAL (SELECT shop_order_wrong(o.id) AS wrong) w WHERE w.wrong IS NOT NULL
    UNION ALL
    SELECT 'shop_transfer_without_order', 'transfer ' || t.id, t.key
    FROM transfers t WHERE t.cause IN ('shop', 'shop_back')
        AND NOT EXISTS (SELECT 1 FROM shop_transfers m WHERE m.transfer_id = t.id)
    ORDER BY 1, 2;
END
$$;

COMMENT ON FUNCTION q_shop_check IS
'The check of the shop''s books: one row for each order that does not agree with its gold, no row if all do.
Called by db.';
