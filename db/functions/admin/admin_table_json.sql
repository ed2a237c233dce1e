CREATE OR REPLACE FUNCTION admin_table_json(p_table bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', t.id::text, 'state', t.state, 'variant', t.variant, 'room', t.room_id, 'node', t.node,
        'stake', t.stake, 'created_at', rfc3339(t.created_at), 'started_at', rfc3339(t.started_at),
        'ended_at', rfc3339(t.ended_at), 'cancel_asked_at', rfc3339(t.cancel_asked_at),
        'game', (SELECT g.id::text FROM games g WHERE g.table_id = t.id ORDER BY g.hand_no DESC LIMIT 1),
        'lost', (SELECT jsonb_build_object('at', rfc3339(l.at), 'code', l.code, 'data', l.data,
                                           'moves', (SELECT count(*) FROM lost_moves m
                                                     WHERE m.table_id = l.table_id))
                 FROM lost_tables l WHERE l.table_id = t.id),
        'seats', coalesce((SELECT jsonb_agg(jsonb_build_object('seat', s.seat, 'player_id', s.player_id::text,
                                                               'nickname', s.nickname,
                                                               'held_silver', coalesce(h.silver, 0),
                                                               'held_gold', coalesce(h.gold, 0))
                                            ORDER BY s.seat)
                           FROM seats s LEFT JOIN (
                               SELECT a.player_id,
                                      sum(a.balance) FILTER (WHERE a.currency = 'silver') AS silver,
                                      sum(a.balance) FILTER (WHERE a.currency = 'gold') AS gold
                               FROM accounts a WHERE a.kind = 'hold' AND a.table_id = p_table
                               GROUP BY a.player_id) h USING (player_id)
                           WHERE s.table_id = p_table), '[]'))
    FROM tables t WHERE t.id = p_table
$$;

COMMENT ON FUNCTION admin_table_json IS
'A table as an operator sees it, with what is held there.
Called by do_admin_cancel, do_admin_lost_tables, do_admin_table, do_admin_tables.';
