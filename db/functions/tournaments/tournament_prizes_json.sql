CREATE OR REPLACE FUNCTION tournament_prizes_json(p_tournament tournaments) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object('place', z.place, 'share', z.share, 'chips', z.chips)
                              ORDER BY z.place), '[]')
    FROM tournament_prizes(p_tournament) z
$$;

COMMENT ON FUNCTION tournament_prizes_json IS
'The prizes of a tournament (tournament_prizes) as JSON.
Called by admin_tournament_json, q_tournament.';
