CREATE OR REPLACE FUNCTION admin_tables_json(p_tables bigint[])
    RETURNS TABLE (table_id bigint, body jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT t.id, jsonb_build_object(
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
                                                               'held_silver', coalesce(silver.balance, 0),
                                                               'held_gold', coalesce(gold.balance, 0))
                                            ORDER BY s.seat)
                           FROM seats s
                           LEFT JOIN accounts silver
                               ON silver.kind = 'hold' AND silver.table_id = s.table_id
                              AND silver.player_id = s.player_id AND silver.currency = 'silver'
                           LEFT JOIN accounts gold
                               ON gold.kind = 'hold' AND gold.table_id = s.table_id
                              AND gold.player_id = s.player_id AND gold.currency = 'gold'
                           WHERE s.table_id = t.id), '[]'))
    FROM tables t WHERE t.id = ANY (p_tables);
END $$;

COMMENT ON FUNCTION admin_tables_json IS
'Tables as an operator sees them, with the chips held there. Written in plpgsql, which keeps the plan
between calls.
Called by do_admin_cancel, do_admin_lost_tables, do_admin_table, do_admin_tables.';
