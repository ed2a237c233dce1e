CREATE OR REPLACE FUNCTION export_rows_play(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF p_section = 'seats' THEN
        RETURN QUERY
        SELECT s.table_id, jsonb_build_object(
            'table_id', s.table_id::text, 'variant', t.variant, 'room', t.room_id,
            'opened_by_me', t.creator_id IS NOT DISTINCT FROM p_player, 'state', t.state, 'seat', s.seat,
            'nickname', s.nickname, 'taken_at', rfc3339(s.taken_at), 'left_at', rfc3339(s.left_at),
            'client_seed', encode(s.client_seed, 'hex'),
            'stake', coalesce((SELECT jsonb_agg(jsonb_build_object(
                                          'posting', p.id::text, 'currency', a.currency, 'amount', p.amount,
                                          'reason', p.reason) ORDER BY p.id)
                               FROM transfers k JOIN postings p ON p.transfer_id = k.id
                               JOIN accounts a ON a.id = p.account_id
                               WHERE k.table_id = s.table_id AND a.kind = 'hold'
                                 AND a.player_id = p_player), '[]'))
        FROM (SELECT * FROM ((SELECT * FROM seats WHERE player_id = p_player AND NOT live
                              AND table_id > p_after ORDER BY table_id LIMIT p_max)
                             UNION ALL (SELECT * FROM seats WHERE player_id = p_player AND live
                                        AND table_id > p_after)) b
              ORDER BY table_id LIMIT p_max) s
        JOIN tables t ON t.id = s.table_id ORDER BY s.table_id;
    ELSIF p_section = 'games' THEN
        RETURN QUERY
        SELECT g.id, jsonb_build_object(
            'id', g.id::text, 'table_id', g.table_id::text, 'variant', g.variant, 'room', g.room_id,
            'rated', g.rated, 'practice', g.practice, 'started_at', rfc3339(g.started_at),
            'ended_at', rfc3339(g.ended_at), 'ending', g.ending, 'record', '/v1/games/' || g.id || '/record',
            'own', to_jsonb(m) - ARRAY['game_id', 'player_id', 'client_seed'],
            'others', (SELECT jsonb_agg(jsonb_build_object('seat', o.seat, 'player_id', o.player_id::text,
                                                           'nickname', o.nickname, 'place', o.place,
                                                           'points', o.points) ORDER BY o.seat)
                       FROM game_players o WHERE o.game_id = g.id AND o.seat <> m.seat))
        FROM (SELECT * FROM game_players WHERE player_id = p_player AND game_id > p_after
              ORDER BY game_id LIMIT p_max) m
        JOIN games g ON g.id = m.game_id ORDER BY g.id;
    ELSIF p_section = 'chat' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('table_id', table_id::text, 'at', rfc3339(at), 'kind', kind,
                                      'text', text)
        FROM table_chat WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSE
        RAISE EXCEPTION 'there is no section %', p_section;
    END IF;
END $$;

COMMENT ON FUNCTION export_rows_play IS
'Seats and stakes, games, chat messages.
Called by export_rows.';
