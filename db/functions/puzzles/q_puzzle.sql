CREATE OR REPLACE FUNCTION q_puzzle(p_player bigint, p_puzzle bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.id IS NULL THEN 'no_such_puzzle' ELSE 'ok' END,
           CASE WHEN p.id IS NOT NULL THEN puzzle_json(p, p_player)::text END
    FROM (SELECT) one
    LEFT JOIN puzzles p ON p.id = p_puzzle AND puzzle_is_shown(p, p_player)
$$;

COMMENT ON FUNCTION q_puzzle IS
'A puzzle for a player, or for a visitor.
Refusals: no_such_puzzle.
Called by api.';
