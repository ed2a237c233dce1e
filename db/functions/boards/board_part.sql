CREATE OR REPLACE FUNCTION board_part(p_scores bigint[], p_ties bigint[], p_score bigint, p_tie bigint)
    RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT width_bucket(p_score - 1, p_scores)
           + width_bucket(p_tie, p_ties[width_bucket(p_score - 1, p_scores)
                                        + 1 : width_bucket(p_score, p_scores)])
$$;

COMMENT ON FUNCTION board_part IS
'Index of the last of the ascending places that is not above (p_score, p_tie); 0 if all are above it.
Called by board_add_moves, board_places.';
