CREATE OR REPLACE FUNCTION tournament_prizes(p_tournament tournaments)
    RETURNS TABLE (place integer, share integer, chips bigint)
    LANGUAGE sql STABLE AS $$
    SELECT z.place, z.share,
           z.part + CASE WHEN z.place = 1 THEN z.pot - sum(z.part) OVER () ELSE 0 END::bigint
    FROM (SELECT s.place, s.share, p.pot, p.pot * s.share / 10000 AS part
          FROM prize_shares s, (SELECT p_tournament.entry * p_tournament.people_n AS pot) p
          WHERE s.prize_table = p_tournament.prize_table
            AND s.entries_min = (SELECT max(m.entries_min) FROM prize_shares m
                                 WHERE m.prize_table = p_tournament.prize_table
                                   AND m.entries_min <= greatest(1, p_tournament.people_n))
            AND p_tournament.state NOT IN ('cancelling', 'cancelled')) z
$$;

COMMENT ON FUNCTION tournament_prizes IS
'The prizes of a tournament, given the human players who have entered so far: each place gets its share of the
pot, rounded down, and the first place also gets the remainder. Together they add up to the whole pot. No
rows: a match of two teams, which has no prize table, or a canceled tournament. The prizes shown and the
prizes paid both come from here.
Called by tournament_finish, tournament_prizes_json.';
