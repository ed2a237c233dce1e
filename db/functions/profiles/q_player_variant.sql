CREATE OR REPLACE FUNCTION q_player_variant(p_player bigint, p_variant text)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    WITH played AS (
        SELECT g.id, g.ended_at, x.seat, x.place, x.opened, x.won, x.cards_left, x.rating,
               (x.facts->>'opening')::numeric AS opening, (x.facts->>'opening_turn')::numeric AS opening_turn,
               (x.facts->>'sets')::numeric AS sets, (x.facts->>'runs')::numeric AS runs
        FROM (SELECT * FROM game_players h WHERE h.player_id = p_player ORDER BY h.game_id DESC
              LIMIT setting_int('statistics_games_max')) x
        JOIN games g ON g.id = x.game_id
        WHERE g.variant = p_variant AND (g.rated OR g.bots_rated)
              AND x.took_part AND NOT x.same_people),
    met AS (
        SELECT o.player_id, count(*) AS games, count(*) FILTER (WHERE p.place < o.place) AS ahead,
               count(*) FILTER (WHERE p.place > o.place) AS behind, max(p.id) AS last_id
        FROM played p JOIN game_players o ON o.game_id = p.id AND o.seat <> p.seat
        WHERE o.player_id IS NOT NULL
        GROUP BY o.player_id)
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM ranked_variants r WHERE r.variant = p_variant)
                     THEN 'variant_unknown'
                WHEN p.id IS NULL THEN 'player_unknown' ELSE 'ok' END, jsonb_build_object(
        'variant', p_variant,
        'games', (SELECT count(*) FROM played),
        'averages', (SELECT jsonb_build_object(
                'place', round(avg(place), 2), 'opened', round(avg(opened::integer), 3),
                'opening', round(avg(opening) FILTER (WHERE opened), 1),
                'opening_turn', round(avg(opening_turn) FILTER (WHERE opening_turn > 0), 1),
                'sets', round(avg(sets) FILTER (WHERE melds), 2),
                'runs', round(avg(runs) FILTER (WHERE melds), 2),
                'cards_left', round(avg(cards_left) FILTER (WHERE NOT won), 1))
            FROM (SELECT played.*, sum(sets + runs) OVER () > 0 AS melds FROM played) a),
        'same_deal', same_deal_result(p_player, p_variant),
        'ratings', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'game_id', id::text, 'at', rfc3339(ended_at), 'rating', rating) ORDER BY id)
            FROM (SELECT * FROM played WHERE rating IS NOT NULL ORDER BY id DESC LIMIT 200) r), '[]'),
        'rivals', coalesce((SELECT jsonb_agg(jsonb_build_object(
                'player_id', m.player_id::text, 'nickname', m.nickname, 'avatar', m.avatar, 'games', m.games,
                'ahead', m.ahead, 'behind', m.behind) ORDER BY m.games DESC, m.last_id DESC)
            FROM (SELECT met.*, w.nickname, w.avatar
                  FROM met JOIN players w ON w.id = met.player_id AND w.deleted_at IS NULL
                  ORDER BY met.games DESC, met.last_id DESC LIMIT 10) m), '[]'))::text
    FROM (SELECT 1) one LEFT JOIN players p ON p.id = p_player AND p.deleted_at IS NULL
$$;

COMMENT ON FUNCTION q_player_variant IS
'A player''s history in one variant, as JSON: rating over time, averages, and most frequent opponents, over
their last statistics_games_max rated games; and their results on shared deals. sets, runs: NULL if this
variant has no melds before the showdown.
Refusals: variant_unknown, player_unknown.
Called by api.';
