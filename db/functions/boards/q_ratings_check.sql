CREATE OR REPLACE FUNCTION q_ratings_check()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    WITH counted AS (
        SELECT p.player_id, g.variant, x.period, g.bots_rated AS bot, p.game_id, p.took_part, p.won, p.rummy,
               p.game_points, p.clover,
               min(p.game_id) FILTER (WHERE p.took_part)
                   OVER (PARTITION BY p.player_id, g.variant, x.period, g.bots_rated) AS first_id
        FROM game_players p JOIN games g ON g.id = p.game_id
        CROSS JOIN LATERAL (VALUES ('all'),
                            (to_char(g.ended_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'),
                                     'YYYY-MM'))) AS x (period)
        WHERE p.player_id IS NOT NULL AND NOT p.same_people
          AND (g.rated
               OR g.bots_rated AND EXISTS (SELECT FROM bot_accounts b WHERE b.player_id = p.player_id))
    ), made AS (
        SELECT player_id, variant, period, bot, count(*) FILTER (WHERE took_part) AS games,
               count(*) FILTER (WHERE NOT took_part AND game_id > first_id) AS lost,
               sum(game_points) FILTER (WHERE took_part)::bigint AS points,
               count(*) FILTER (WHERE won AND took_part) AS wins,
               count(*) FILTER (WHERE rummy AND took_part) AS rummies,
               sum(clover) FILTER (WHERE took_part)::bigint AS clover
        FROM counted GROUP BY 1, 2, 3, 4 HAVING bool_or(took_part)
    ), clover AS (
        SELECT player_id, sum(clover)::bigint AS clover FROM game_players WHERE player_id IS NOT NULL
        GROUP BY 1
    ), climbed AS (
        SELECT level, coalesce(sum(points_needed) OVER (ORDER BY level ROWS BETWEEN UNBOUNDED PRECEDING
                                                        AND 1 PRECEDING), 0) AS from_points
        FROM levels
    ), ranked AS (
        SELECT b.id AS board_id, r.player_id, board_score(b.kind, r) AS score
        FROM ratings r JOIN boards b ON b.variant = r.variant AND b.period = r.period AND b.kind <> 'league'
            AND r.bot = starts_with(b.kind, 'bot_')
        WHERE CASE WHEN b.kind IN ('rating', 'bot_rating')
                   THEN r.games >= (SELECT setting_int('rating_games_min'))
                   ELSE board_score(b.kind, r) > 0 END
          AND NOT EXISTS (SELECT 1 FROM deletions d
                          WHERE d.player_id = r.player_id AND d.erased_at IS NOT NULL)
    )
    SELECT 'rating_differs', 'player ' || coalesce(r.player_id, m.player_id) || ' '
        || coalesce(r.variant, m.variant) || ' ' || coalesce(r.period, m.period),
           'stored ' || coalesce(r.points || ' in ' || r.games, 'nothing') || ', games give '
               || coalesce(m.points || ' in ' || m.games, 'nothing')
    FROM made m FULL JOIN ratings r ON (r.player_id, r.variant, r.period) = (m.player_id, m.variant, m.period)
    WHERE (r.bot, r.games, r.lost, r.points, r.wins, r.rummies, r.clover, r.rating)
          IS DISTINCT FROM (m.bot, m.games, m.lost, m.points, m.wins, m.rummies, m.clover,
                            m.points * (SELECT setting_int('rating_scale'))
                            / ((m.games + m.lost) * (SELECT setting_int('game_points_max'))))
    UNION ALL
    SELECT 'clover_differs', 'player ' || p.id,
           'stored ' || p.clover_points || ', games give ' || coalesce(c.clover, 0)
    FROM players p LEFT JOIN clover c ON c.player_id = p.id WHERE p.clover_points <> coalesce(c.clover, 0)
    UNION ALL
    SELECT 'level_differs', 'player ' || p.id,
           'stored ' || p.level || ' and ' || p.level_points || ', points give '
           || l.level || ' and ' || p.clover_points - l.from_points
    FROM players p CROSS JOIN LATERAL (SELECT * FROM climbed c WHERE c.from_points <= p.clover_points
                                       ORDER BY c.level DESC LIMIT 1) l
    WHERE (p.level, p.level_points) <> (l.level, p.clover_points - l.from_points)
    UNION ALL
    SELECT 'board_differs', 'board ' || coalesce(e.board_id, k.board_id) || ' player '
        || coalesce(e.player_id, k.player_id),
           'stored ' || coalesce(e.score::text, 'nothing') || ', ratings give '
               || coalesce(k.score::text, 'nothing')
    FROM ranked k FULL JOIN (SELECT o.* FROM board_entries o JOIN boards b ON b.id = o.board_id
                             WHERE b.kind <> 'league') e
         ON (e.board_id, e.player_id) = (k.board_id, k.player_id)
    WHERE e.score IS DISTINCT FROM k.score
    ORDER BY 1, 2
$$;

COMMENT ON FUNCTION q_ratings_check IS
'Recomputes ratings, boards, Clover points, and levels from the games alone: one row per difference, no row
if there are none. Deleted players are on no board.
Called by db.';
