CREATE OR REPLACE FUNCTION q_puzzles_unchecked(p_after bigint, p_limit bigint)
    RETURNS TABLE (id bigint, "position" text, answer text, deals_n integer)
    LANGUAGE sql STABLE AS $$
    SELECT p.id, p.position, p.answer, p.deals_n FROM puzzles p
    WHERE p.checked_at IS NULL AND p.withdrawn_at IS NULL AND p.id > p_after ORDER BY p.id LIMIT p_limit
$$;

COMMENT ON FUNCTION q_puzzles_unchecked IS
'Puzzles that have not been evaluated again yet, in order.
Called by server.';
