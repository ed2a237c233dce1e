CREATE OR REPLACE FUNCTION q_achievements(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', jsonb_agg(jsonb_build_object(
        'id', a.id, 'counter', a.counter, 'gold', a.gold, 'goal', a.goal,
        'progress', least(a.goal, coalesce(c.n, 0)),
        'earned_at', rfc3339(e.earned_at)) ORDER BY a.position))::text
    FROM achievements a
    LEFT JOIN player_counters c ON c.player_id = p_player AND c.counter = a.counter
    LEFT JOIN player_achievements e ON e.player_id = p_player AND e.achievement_id = a.id
$$;

COMMENT ON FUNCTION q_achievements IS
'All achievements as JSON, with a player''s progress.
Called by api.';
