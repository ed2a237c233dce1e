CREATE OR REPLACE FUNCTION q_player(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.id IS NULL THEN 'player_unknown' ELSE 'ok' END, jsonb_build_object(
        'id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'kind', p.kind, 'level', p.level,
        'deleted', p.deleted_at IS NOT NULL,
        'title', l.title, 'clover_points', p.clover_points, 'created_at', rfc3339(p.created_at),
        'league', (SELECT g.id FROM league_members m JOIN leagues g ON g.position = m.position
                   WHERE m.player_id = o.id),
        'achievements', coalesce((SELECT jsonb_agg(e.achievement_id ORDER BY a.position)
                                  FROM player_achievements e
                                  JOIN achievements a ON a.id = e.achievement_id
                                  WHERE e.player_id = o.id), '[]'),
        'streak_days', coalesce((SELECT greatest(streak_before(d, local_day(now())),
                                                 streak_before(d, local_day(now()) + 1))
                                 FROM player_days d WHERE d.player_id = o.id), 0),
        'daily_streak_days', CASE WHEN o.id IS NULL THEN 0 ELSE daily_streak(o.id) END,
        'variants', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'variant', s.variant, 'games', s.games, 'rated', s.rated, 'wins', s.wins, 'opened', s.opened,
                'rummies', s.rummies, 'places', to_jsonb(s.places),
                'points_average', CASE WHEN s.rated > 0 THEN round(s.points::numeric / s.rated, 1) END,
                'win_streak', s.streak, 'win_streak_best', s.streak_best, 'rating', r.rating)
                    ORDER BY s.games DESC, s.variant)
            FROM player_stats s
            LEFT JOIN ratings r ON (r.player_id, r.variant, r.period) = (s.player_id, s.variant, 'all')
            WHERE s.player_id = o.id), '[]'),
        'last_games', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'id', g.id::text, 'variant', g.variant, 'room', g.room_id, 'ended_at', rfc3339(g.ended_at),
                'place', x.place, 'won', x.won, 'rated', g.rated AND x.took_part AND NOT x.same_people,
                'hidden', NOT deal_is_open((SELECT t.deal_id FROM tables t WHERE t.id = g.table_id)),
                'record', '/v1/games/' || g.id || '/record')
                    ORDER BY g.id DESC)
            FROM (SELECT * FROM game_players h WHERE h.player_id = o.id ORDER BY h.game_id DESC LIMIT 10) x
            JOIN games g ON g.id = x.game_id), '[]'))::text
    FROM (SELECT 1) one LEFT JOIN players p ON p.id = p_player
    LEFT JOIN players o ON o.id = p.id AND o.deleted_at IS NULL
    LEFT JOIN levels l ON l.level = p.level
$$;

COMMENT ON FUNCTION q_player IS
'A player''s public profile as JSON: level, league, achievements, statistics, and the last games; for a
deleted player, only the current name.
Refusals: player_unknown.
Called by api.';
