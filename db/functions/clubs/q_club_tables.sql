CREATE OR REPLACE FUNCTION q_club_tables(p_reader bigint, p_club bigint, p_before bigint, p_unused bigint,
                                         p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_code text := CASE WHEN NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN 'no_such_club'
                        WHEN NOT club_admits(p_club, p_reader) THEN 'not_club_member' ELSE 'ok' END;
BEGIN
    RETURN QUERY SELECT v_code, '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object(
            'table_id', t.id::text, 'state', t.state, 'variant', t.variant, 'options', t.options,
            'seats', t.seats_n, 'people', t.people_n, 'bots', t.bots_n,
            'stake', t.stake, 'point_value', t.point_value,
            'watch_delay_ms', t.watch_delay_ms, 'bot_accounts', t.bot_accounts, 'turn_hours', t.turn_hours,
            'created_at', rfc3339(t.created_at), 'ws_url', socket_url(t.id),
            'players', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                           'player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar)
                                                  ORDER BY s.seat), '[]')
                        FROM seats s JOIN players p ON p.id = s.player_id WHERE s.table_id = t.id))::text,
            t.id, 0::bigint, 0::bigint
        FROM tables t
        WHERE t.club_id = p_club AND t.state IN ('waiting', 'playing') AND t.visibility = 'public'
          AND (p_before IS NULL OR t.id < p_before)
        ORDER BY t.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION q_club_tables IS
'A page of a club''s waiting and running tables, newest first, with their players, but without private
tables. The first row is the head.
Refusals: no_such_club, not_club_member.
Called by api.';
