CREATE OR REPLACE FUNCTION q_week(p_player bigint, p_week text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    c_live_s CONSTANT integer := 10800;
    c_name   CONSTANT text := 'IYYY-"W"IW';
    v_now    date := quest_week(now());
    v_week   date := week_of(p_week);
    v_first  date := (SELECT quest_week(created_at) FROM players WHERE id = p_player);
BEGIN
    IF v_week IS NULL OR v_week > v_now OR v_week < v_first THEN
        RETURN QUERY SELECT 'no_such_week', NULL::text;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object(
        'week', p_week,
        'starts_at', rfc3339(midnight_of(v_week)), 'ends_at', rfc3339(midnight_of(v_week + 7)),
        'previous', CASE WHEN v_week > v_first THEN to_char(v_week - 7, c_name) END,
        'next', CASE WHEN v_week < v_now THEN to_char(v_week + 7, c_name) END,
        'games', s.games, 'wins', s.wins, 'clover', s.clover, 'seconds', s.seconds,
        'best', (SELECT jsonb_build_object('game_id', w.game_id::text, 'variant', w.variant,
                                           'room', w.room_id, 'points', w.points, 'clover', w.clover,
                                           'rummy', w.rummy)
                 FROM week_games(p_player, v_week) w WHERE w.won
                 ORDER BY w.clover DESC, w.game_points DESC, w.game_id DESC LIMIT 1),
        'variants', week_variants_json(p_player, v_week),
        'level', p.level, 'level_points', p.level_points, 'level_points_needed', l.points_needed,
        'levels_gained', s.levels_gained,
        'daily_days', (SELECT count(DISTINCT n.day) FROM deal_plays d
                       JOIN daily_deals n ON n.deal_id = d.deal_id
                       WHERE d.player_id = p_player AND d.state = 'done' AND NOT d.left_early
                         AND n.day >= v_week AND n.day < v_week + 7),
        'daily_streak_days', daily_streak(p_player),
        'friends', week_friends_json(p_player, v_week))::text
    FROM (SELECT count(*) AS games, count(*) FILTER (WHERE w.won) AS wins,
                 coalesce(sum(w.clover), 0) AS clover, coalesce(sum(w.levels_gained), 0) AS levels_gained,
                 coalesce(sum(w.seconds) FILTER (WHERE w.seconds < c_live_s), 0) AS seconds
          FROM week_games(p_player, v_week) w) s,
         players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_player;
END $$;

COMMENT ON FUNCTION q_week IS
'A player''s week as JSON: games, the best win, results per variant, levels, daily deals, and a comparison
with friends. seconds: of games of less than three hours; correspondence games are not counted. Level and
streak are always the current ones.
Refusals: no_such_week (malformed, in the future, or before the account was created).
Called by api.';
