CREATE OR REPLACE FUNCTION week_variants_json(p_player bigint, p_week date) RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'variant', v.variant, 'games', v.games, 'wins', v.wins, 'clover', v.clover, 'rating', v.rating,
            'rating_before', (SELECT x.rating FROM game_players x
                              WHERE x.player_id = p_player AND x.variant = v.variant AND x.game_id < v.first
                              ORDER BY x.game_id DESC LIMIT 1)) ORDER BY v.games DESC, v.variant), '[]')
        FROM (SELECT w.variant, count(*) AS games, count(*) FILTER (WHERE w.won) AS wins,
                     sum(w.clover) AS clover, min(w.game_id) AS first,
                     (array_agg(w.rating ORDER BY w.game_id DESC))[1] AS rating
              FROM week_games(p_player, p_week) w GROUP BY w.variant) v);
END $$;

COMMENT ON FUNCTION week_variants_json IS
'A player''s results of a week in each variant. rating: after its last game; rating_before: after the last
game before the week; NULL: there was none yet.
Called by q_week.';
