CREATE OR REPLACE FUNCTION tournament_beaten(p_beaten integer, p_compared integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_compared > 0 THEN p_beaten / (2.0 * p_compared) ELSE 0.5 END
$$;

COMMENT ON FUNCTION tournament_beaten IS
'The fraction of the others in the same seat that a seat beat in a duplicate; a tie counts half. Without
others, the result is one half. Round a sum of these to ten digits before comparing it, because thirds are not
exact.
Called by q_tournament_seat, q_tournament_tables, same_deal_result, tournament_round_end.';
