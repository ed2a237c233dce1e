CREATE OR REPLACE FUNCTION puzzle_is_shown(p_puzzle puzzles, p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT 1 FROM puzzle_tries t
                             WHERE t.player_id = p_player AND t.puzzle_id = p_puzzle.id) THEN true
                WHEN p_puzzle.withdrawn_at IS NULL
                     AND (NOT p_puzzle.reserved
                          OR EXISTS (SELECT 1 FROM puzzle_days d
                                     WHERE d.puzzle_id = p_puzzle.id
                                       AND d.day < (now() AT TIME ZONE 'UTC')::date)) THEN true
                ELSE p_puzzle.id IS NOT DISTINCT FROM puzzle_today() END
$$;

COMMENT ON FUNCTION puzzle_is_shown IS
'Whether a player may see a puzzle: it is the daily one, or they have tried it, or it is neither withdrawn nor
reserved for a future day.
Called by do_puzzle_try, q_puzzle.';
