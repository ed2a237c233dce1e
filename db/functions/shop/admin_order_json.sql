CREATE OR REPLACE FUNCTION admin_order_json(p_order bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT shop_order_json(o) || jsonb_build_object(
        'player_id', o.player_id::text, 'payment_ref', o.payment_ref,
        'log', (SELECT jsonb_agg(jsonb_build_object('at', rfc3339(l.at), 'state', l.to_state,
                                                    'why', nullif(l.why, '')) ORDER BY l.id)
                FROM shop_order_log l WHERE l.order_id = o.id),
        'refunds', coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id::text,
                                                                 'at', rfc3339(r.created_at), 'key', k.name,
                'state', r.state, 'reason', r.reason, 'why', nullif(r.why, '')) ORDER BY r.id)
                FROM shop_refunds r JOIN api_keys k ON k.id = r.key_id WHERE r.order_id = o.id), '[]'),
        'flags', coalesce((SELECT jsonb_agg(jsonb_build_object('id', f.id::text, 'at', rfc3339(f.at),
                                                               'reason', f.reason,
                'gold', f.gold, 'settled_at', rfc3339(f.settled_at)) ORDER BY f.id)
                FROM shop_flags f WHERE f.order_id = o.id), '[]'))
    FROM shop_orders o WHERE o.id = p_order
$$;

COMMENT ON FUNCTION admin_order_json IS
'An order as an operator sees it: buyer, state history, refunds, and flags.
Called by do_admin_order, do_shop_refund, do_shop_refund_result.';
