CREATE OR REPLACE FUNCTION q_quests(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_week date := quest_week(now());
BEGIN
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
        'week', to_char(v_week, 'IYYY-"W"IW'),
        'starts_at', rfc3339(midnight_of(v_week)), 'ends_at', rfc3339(midnight_of(v_week + 7)),
        'items', coalesce(jsonb_agg(
            quest_json(q.id, q.counter, q.variant, q.goal, coalesce(nullif(w.gold, 0), q.gold))
            || jsonb_build_object('progress', CASE WHEN w.done_at IS NOT NULL THEN q.goal
                                                   ELSE least(q.goal, coalesce(w.n, 0)) END,
                                  'done_at', rfc3339(w.done_at)) ORDER BY q.slot), '[]'))::text
    FROM quests_of(v_week) q
    LEFT JOIN quest_progress w ON w.player_id = p_player AND w.week = v_week AND w.quest_id = q.id;
END $$;

COMMENT ON FUNCTION q_quests IS
'The quests of this week as JSON, with a player''s progress.
Called by api.';
