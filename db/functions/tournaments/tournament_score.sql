CREATE OR REPLACE FUNCTION tournament_score(p_place integer, p_tied integer, p_n integer) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT 60 * (2 * p_n - 2 * p_place - p_tied + 1) / (p_n - 1)
$$;

COMMENT ON FUNCTION tournament_score IS
'What a place at a table of p_n is worth: 120 for the first, 0 for the last, the same step between any two.
p_tied who share a place (the better one) have the mean of those they stand on; there are no fractions.
Called by settle_tournaments, tournament_mend.';
