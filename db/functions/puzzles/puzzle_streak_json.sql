CREATE OR REPLACE FUNCTION puzzle_streak_json(p_player bigint, p_day date) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('days', coalesce(max(CASE WHEN streak_day >= p_day - 1 THEN streak END), 0),
                              'best', coalesce(max(streak_best), 0))
    FROM puzzle_players WHERE player_id = p_player
$$;

COMMENT ON FUNCTION puzzle_streak_json IS
'A player''s streak on a day. It lasts until the puzzle of the day can no longer be tried.
Called by q_my_puzzles, q_puzzle_daily.';
