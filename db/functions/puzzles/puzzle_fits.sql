CREATE OR REPLACE FUNCTION puzzle_fits(p_puzzle puzzles, p_player bigint, p_variant text, p_theme text,
                                       p_tag text)
    RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT (p_variant IS NULL OR p_puzzle.variant = p_variant)
       AND (p_theme IS NULL OR p_puzzle.theme = p_theme)
       AND (p_tag IS NULL OR p_tag = ANY (p_puzzle.tags))
       AND (NOT p_puzzle.reserved
            OR EXISTS (SELECT 1 FROM puzzle_days d
                       WHERE d.puzzle_id = p_puzzle.id AND d.day < (now() AT TIME ZONE 'UTC')::date))
       AND NOT EXISTS (SELECT 1 FROM puzzle_tries t
                       WHERE t.player_id = p_player AND t.puzzle_id = p_puzzle.id)
$$;

COMMENT ON FUNCTION puzzle_fits IS
'Whether a player who requests another puzzle may get this one: it matches the filters (NULL: any), they
have not tried it, and it is not the puzzle of today or of a future day.
Called by q_puzzle_next.';
