CREATE OR REPLACE FUNCTION tournament_score(p_place integer, p_tied integer, p_n integer) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT 60 * (2 * p_n - 2 * p_place - p_tied + 1) / (p_n - 1)
$$;

COMMENT ON FUNCTION tournament_score IS
'Score of a place at a table of p_n: 120 for the first, 0 for the last, with equal steps. p_tied entrants
who share a place (the better one) get the mean of their places, which is always a whole number.
Called by settle_tournaments, tournament_replay_tables.';
