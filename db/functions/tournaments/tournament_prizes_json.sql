CREATE OR REPLACE FUNCTION tournament_prizes_json(p_tournament tournaments) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'place', z.place, 'share', z.share,
               'chips', p_tournament.entry * p_tournament.people_n * z.share / 10000) ORDER BY z.place), '[]')
    FROM prize_shares z
    WHERE z.prize_table = p_tournament.prize_table
      AND z.entries_min = (SELECT max(s.entries_min) FROM prize_shares s
                           WHERE s.prize_table = p_tournament.prize_table
                             AND s.entries_min <= greatest(1, p_tournament.people_n))
$$;

COMMENT ON FUNCTION tournament_prizes_json IS
'What the places of a tournament bring by the people who have entered so far, as JSON; of two teams
nothing, for they have no prize table.
Called by admin_tournament_json, q_tournament.';
