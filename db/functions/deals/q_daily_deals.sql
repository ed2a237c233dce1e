CREATE OR REPLACE FUNCTION q_daily_deals(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object(
        'today', t.today, 'streak_days', daily_streak(p_player),
        'ranking', (SELECT to_jsonb(r) FROM daily_ranking(p_player) r),
        'items', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'day', d.day, 'state', s.state, 'opens_at', rfc3339(d.day::timestamp AT TIME ZONE 'UTC'),
                'closes_at', rfc3339((d.day + 1)::timestamp AT TIME ZONE 'UTC'),
                'commit', encode(d.commit, 'hex'), 'committed_at', rfc3339(d.committed_at),
                'client_seed', encode(d.client_seed, 'hex'),
                'server_seed', CASE WHEN s.state = 'final' THEN encode(d.seed, 'hex') END,
                'deals', (SELECT jsonb_agg(jsonb_build_object(
                              'variant', v.variant, 'number', n.deal_id::text,
                              'seats', coalesce(e.seats_n, v.seats_n),
                              'options', coalesce(e.options, v.options),
                              'bot_level', (ARRAY['easy', 'medium', 'strong'])[coalesce(e.bot_level,
                                                                                        v.bot_level)],
                              'entrants', (SELECT count(*) FROM deal_plays p
                                           WHERE p.deal_id = n.deal_id AND p.state <> 'void'),
                              'own', daily_own_json(n.deal_id, p_player)) ORDER BY v.position)
                          FROM daily_variants v
                          LEFT JOIN daily_deals n ON n.day = d.day AND n.variant = v.variant
                          LEFT JOIN deals e ON e.id = n.deal_id
                          WHERE n.deal_id IS NOT NULL OR v.open AND d.day >= t.today)) ORDER BY d.day DESC)
            FROM daily_days d CROSS JOIN LATERAL (SELECT daily_state(d.day) AS state OFFSET 0) s
            WHERE d.day > t.today - setting_int('daily_days_shown')::integer), '[]'))::text
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
$$;

COMMENT ON FUNCTION q_daily_deals IS
'The daily deals of upcoming days, of today, and of past days, with the player''s results.
Called by api.';
