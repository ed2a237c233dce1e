CREATE OR REPLACE FUNCTION q_puzzle_daily(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.id IS NULL THEN 'no_puzzle' ELSE 'ok' END,
           CASE WHEN p.id IS NOT NULL
                THEN jsonb_build_object('day', t.today, 'puzzle', puzzle_json(p, p_player),
                                        'streak', puzzle_streak_json(p_player, t.today))::text END
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today OFFSET 0) t
    LEFT JOIN puzzles p ON p.id = puzzle_today()
$$;

COMMENT ON FUNCTION q_puzzle_daily IS
'The puzzle of this day (UTC) for a player, with their streak, or for a visitor.
Refusals: no_puzzle.
Called by api.';
