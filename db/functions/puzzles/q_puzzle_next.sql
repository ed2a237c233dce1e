CREATE OR REPLACE FUNCTION q_puzzle_next(p_player bigint, p_variant text, p_theme text, p_tag text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_rating double precision := coalesce((SELECT rating FROM puzzle_players WHERE player_id = p_player),
                                          1500);
    v_puzzle puzzles;
    v_below  puzzles;
BEGIN
    SELECT p.* INTO v_puzzle FROM puzzles p
    WHERE p.withdrawn_at IS NULL AND p.rating >= v_rating
      AND puzzle_fits(p, p_player, p_variant, p_theme, p_tag)
    ORDER BY p.rating, p.id LIMIT 1;
    SELECT p.* INTO v_below FROM puzzles p
    WHERE p.withdrawn_at IS NULL AND p.rating < v_rating
      AND puzzle_fits(p, p_player, p_variant, p_theme, p_tag)
    ORDER BY p.rating DESC, p.id DESC LIMIT 1;
    IF v_puzzle.id IS NULL OR v_rating - v_below.rating < v_puzzle.rating - v_rating THEN
        v_puzzle := v_below;
    END IF;
    RETURN QUERY SELECT CASE WHEN v_puzzle.id IS NULL THEN 'no_puzzle' ELSE 'ok' END,
                        CASE WHEN v_puzzle.id IS NOT NULL THEN puzzle_json(v_puzzle, p_player)::text END;
END $$;

COMMENT ON FUNCTION q_puzzle_next IS
'The puzzle nearest to a player''s rating among those that they have not tried. NULL: any variant, theme, or
tag.
Refusals: no_puzzle.
Called by api.';
