CREATE OR REPLACE FUNCTION played_today_s(p_player bigint, p_at timestamptz) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(extract(epoch FROM upper(r) - lower(r))), 0)::bigint
    FROM unnest((
        SELECT range_agg(tstzrange(greatest(x.began, local_midnight(p_at)), x.ended))
        FROM (SELECT g.started_at AS began, least(g.ended_at, p_at) AS ended
              FROM (SELECT game_id FROM game_players WHERE player_id = p_player ORDER BY game_id DESC
                    LIMIT 500) p
              JOIN games g ON g.id = p.game_id JOIN tables t ON t.id = g.table_id AND t.turn_hours IS NULL
              UNION ALL
              SELECT t.started_at, coalesce(l.at, p_at) FROM seats s
              JOIN tables t ON t.id = s.table_id AND t.turn_hours IS NULL
              LEFT JOIN lost_tables l ON l.table_id = t.id
              WHERE s.player_id = p_player AND s.live) x
        WHERE x.began < x.ended AND x.ended > local_midnight(p_at))) AS r
$$;

COMMENT ON FUNCTION played_today_s IS
'Seconds that a player has spent in games today. Simultaneous tables count once, correspondence tables not at
all.
Called by limit_time_reached, limits_json.';
