CREATE OR REPLACE FUNCTION q_puzzle_export(p_after bigint, p_limit bigint)
    RETURNS TABLE (id bigint, line text)
    LANGUAGE sql STABLE AS $$
    SELECT p.id, json_build_object(
        'id', p.id::text, 'variant', p.variant, 'players', p.players_n, 'seat', p.seat, 'theme', p.theme,
        'tags', p.tags, 'position', p.position, 'options', p.options, 'answer', p.answer,
        'choices', p.choices, 'deals', p.deals_n, 'rating', round(p.rating)::integer,
        'rd', round(p.rd)::integer, 'tries', p.tries_n, 'solved', p.solved_n, 'origin', p.origin)::text
    FROM puzzles p
    WHERE p.id > p_after AND p.withdrawn_at IS NULL
      AND (NOT p.reserved OR EXISTS (SELECT 1 FROM puzzle_days d
                                     WHERE d.puzzle_id = p.id
                                       AND d.day < (now() AT TIME ZONE 'UTC')::date))
    ORDER BY p.id LIMIT p_limit
$$;

COMMENT ON FUNCTION q_puzzle_export IS
'Lines of the open data set after p_after: puzzles with their solutions, except those reserved for today or a
future day. Neither players nor the game from which a puzzle comes are included.
Called by server.';
