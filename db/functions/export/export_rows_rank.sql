CREATE OR REPLACE FUNCTION export_rows_rank(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF p_section = 'statistics' THEN
        RETURN QUERY
        SELECT n, to_jsonb(s) - ARRAY['player_id', 'n']
        FROM (SELECT *, row_number() OVER (ORDER BY variant) AS n FROM player_stats
              WHERE player_id = p_player) s
        WHERE n > p_after ORDER BY n LIMIT p_max;
    ELSIF p_section = 'ratings' THEN
        RETURN QUERY
        SELECT n, to_jsonb(r) - ARRAY['player_id', 'n']
        FROM (SELECT *, row_number() OVER (ORDER BY variant, period) AS n FROM ratings
              WHERE player_id = p_player) r
        WHERE n > p_after ORDER BY n LIMIT p_max;
    ELSIF p_section = 'achievements' THEN
        RETURN QUERY
        SELECT c.n, jsonb_build_object('counter', c.counter, 'n', c.count, 'earned', (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', e.achievement_id, 'gold', e.gold,
                                                         'at', rfc3339(e.earned_at))
                                      ORDER BY a.position), '[]')
            FROM player_achievements e JOIN achievements a ON a.id = e.achievement_id
            WHERE e.player_id = p_player AND a.counter = c.counter))
        FROM (SELECT counter, max(n) AS count, row_number() OVER (ORDER BY counter) AS n
              FROM (SELECT counter, n FROM player_counters WHERE player_id = p_player
                    UNION ALL SELECT a.counter, 0 FROM player_achievements e
                              JOIN achievements a ON a.id = e.achievement_id WHERE e.player_id = p_player) b
              GROUP BY counter) c
        WHERE c.n > p_after ORDER BY c.n LIMIT p_max;
    ELSIF p_section = 'quests' THEN
        RETURN QUERY
        SELECT no, to_jsonb(q) - ARRAY['player_id', 'no'] || jsonb_build_object('done_at', rfc3339(q.done_at))
        FROM (SELECT *, row_number() OVER (ORDER BY week, quest_id) AS no FROM quest_progress
              WHERE player_id = p_player) q
        WHERE no > p_after ORDER BY no LIMIT p_max;
    ELSIF p_section = 'seasons' THEN
        RETURN QUERY
        SELECT s.no::bigint, jsonb_build_object(
            'season', s.no,
            'rooms', (SELECT jsonb_agg(to_jsonb(g) - ARRAY['player_id', 'season_no'] ORDER BY g.room_position)
                      FROM league_games g WHERE g.season_no = s.no AND g.player_id = p_player),
            'line', (SELECT to_jsonb(r) - ARRAY['player_id', 'season_no'] FROM league_rows r
                     WHERE r.season_no = s.no AND r.player_id = p_player),
            'result', (SELECT to_jsonb(r) - ARRAY['player_id', 'season_no'] FROM season_results r
                       WHERE r.season_no = s.no AND r.player_id = p_player))
        FROM seasons s
        WHERE s.no > p_after
          AND (EXISTS (SELECT 1 FROM league_rows r WHERE r.season_no = s.no AND r.player_id = p_player)
               OR EXISTS (SELECT 1 FROM season_results r WHERE r.season_no = s.no AND r.player_id = p_player)
               OR EXISTS (SELECT 1 FROM league_games g WHERE g.season_no = s.no AND g.player_id = p_player))
        ORDER BY s.no LIMIT p_max;
    ELSIF p_section = 'puzzles' THEN
        RETURN QUERY
        SELECT t.puzzle_id, jsonb_build_object(
            'puzzle', t.puzzle_id::text, 'at', rfc3339(t.at), 'choice', t.choice, 'right', t.solved,
            'rating_before', t.rating_before, 'rating', t.rating, 'streak', t.streak)
        FROM puzzle_tries t
        WHERE t.player_id = p_player AND t.puzzle_id > p_after ORDER BY t.puzzle_id LIMIT p_max;
    ELSIF p_section = 'prizes' THEN
        RETURN QUERY
        SELECT n, to_jsonb(w) - ARRAY['player_id', 'n']
        FROM (SELECT *, row_number() OVER (ORDER BY period, variant, kind, place) AS n FROM month_winners
              WHERE player_id = p_player) w
        WHERE n > p_after ORDER BY n LIMIT p_max;
    ELSE
        RAISE EXCEPTION 'there is no section %', p_section;
    END IF;
END $$;

COMMENT ON FUNCTION export_rows_rank IS
'Statistics, ratings, achievements, quests, seasons, prizes.
Called by export_rows.';
