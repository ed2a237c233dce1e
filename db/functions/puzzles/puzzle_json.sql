CREATE OR REPLACE FUNCTION puzzle_json(p_puzzle puzzles, p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', p_puzzle.id::text, 'variant', p_puzzle.variant, 'players', p_puzzle.players_n,
        'seat', p_puzzle.seat, 'theme', p_puzzle.theme, 'tags', to_jsonb(p_puzzle.tags),
        'position', p_puzzle.position, 'options', to_jsonb(p_puzzle.options),
        'rating', round(p_puzzle.rating)::integer, 'tries', p_puzzle.tries_n, 'solved', p_puzzle.solved_n,
        'mine', (SELECT puzzle_try_json(t, p_puzzle) FROM puzzle_tries t
                 WHERE t.player_id = p_player AND t.puzzle_id = p_puzzle.id))
$$;

COMMENT ON FUNCTION puzzle_json IS
'A puzzle as a player may see it: the solution is included only with their own try.
Called by q_puzzle, q_puzzle_daily, q_puzzle_next.';
