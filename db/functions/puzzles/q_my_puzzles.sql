CREATE OR REPLACE FUNCTION q_my_puzzles(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    WITH tries AS (
        SELECT t.at, t.choice, t.solved, t.rating, p.id, p.variant, p.theme, p.answer
        FROM puzzle_tries t JOIN puzzles p ON p.id = t.puzzle_id WHERE t.player_id = p_player)
    SELECT 'ok', jsonb_build_object(
        'rating', round(coalesce(m.rating, 1500))::integer, 'rd', round(coalesce(m.rd, 350))::integer,
        'tried', coalesce(m.tried_n, 0), 'solved', coalesce(m.solved_n, 0),
        'streak', puzzle_streak_json(p_player, (now() AT TIME ZONE 'UTC')::date),
        'themes', (SELECT coalesce(jsonb_agg(jsonb_build_object('theme', g.theme, 'tried', g.tried,
                                                                'solved', g.solved) ORDER BY g.theme), '[]')
                   FROM (SELECT theme, count(*) AS tried, count(*) FILTER (WHERE solved) AS solved
                         FROM tries GROUP BY theme) g),
        'variants', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                                   'variant', g.variant, 'tried', g.tried,
                                                   'solved', g.solved) ORDER BY g.variant), '[]')
                     FROM (SELECT variant, count(*) AS tried, count(*) FILTER (WHERE solved) AS solved
                           FROM tries GROUP BY variant) g),
        'recent', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                                 'puzzle', r.id::text, 'variant', r.variant, 'theme', r.theme,
                                                 'at', rfc3339(r.at), 'choice', r.choice,
                                                 'answer', r.answer, 'right', r.solved, 'rating', r.rating)
                                             ORDER BY r.at DESC, r.id DESC), '[]')
                   FROM (SELECT * FROM tries ORDER BY at DESC, id DESC LIMIT 20) r))::text
    FROM (SELECT) one LEFT JOIN puzzle_players m ON m.player_id = p_player
$$;

COMMENT ON FUNCTION q_my_puzzles IS
'A player''s puzzle results, with their last 20 tries.
Called by api.';
