CREATE OR REPLACE FUNCTION export_rows_money(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF p_section = 'purses' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('currency', currency, 'balance', balance)
        FROM accounts WHERE kind = 'purse' AND player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'postings' THEN
        RETURN QUERY
        SELECT p.id, jsonb_build_object(
            'id', p.id::text, 'at', rfc3339(t.at), 'currency', a.currency, 'amount', p.amount,
            'balance_after', p.balance_after, 'cause', t.cause, 'reason', p.reason,
            'table_id', t.table_id::text, 'note', t.note)
        FROM (SELECT x.* FROM accounts a
              CROSS JOIN LATERAL (SELECT * FROM postings o WHERE o.account_id = a.id AND o.id > p_after
                                  ORDER BY o.id LIMIT p_max) x
              WHERE a.kind = 'purse' AND a.player_id = p_player ORDER BY x.id LIMIT p_max) p
        JOIN accounts a ON a.id = p.account_id JOIN transfers t ON t.id = p.transfer_id
        ORDER BY p.id;
    ELSIF p_section = 'orders' THEN
        RETURN QUERY
        SELECT o.id, shop_order_json(o) || jsonb_build_object(
            'payment', o.payment_ref,
            'states', (SELECT jsonb_agg(jsonb_build_object('at', rfc3339(l.at), 'state', l.to_state)
                                        ORDER BY l.id) FROM shop_order_log l WHERE l.order_id = o.id))
        FROM shop_orders o WHERE o.player_id = p_player AND o.id > p_after ORDER BY o.id LIMIT p_max;
    ELSE
        RAISE EXCEPTION 'there is no section %', p_section;
    END IF;
END $$;

COMMENT ON FUNCTION export_rows_money IS
'Holdings, each posting with its cause, purchases.
Called by export_rows.';
