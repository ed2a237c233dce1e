CREATE OR REPLACE FUNCTION q_leagues(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object(
        'season', jsonb_build_object('number', s.no, 'starts_at', rfc3339(s.starts_at),
                                     'ends_at', rfc3339(s.ends_at),
                                     'closing', s.state = 'closing',
                                     'games_min', setting_int('season_games_min'),
                                     'prize_people_min', setting_int('prize_people_min')),
        'own', (SELECT jsonb_build_object('league', l.id, 'games', coalesce(r.games, 0),
                                          'wins', coalesce(r.wins, 0),
                                          'rating', r.rating,
                                          'place', board_place(b.id, e.score, p_player))
                FROM league_members m JOIN leagues l ON l.position = m.position
                LEFT JOIN league_rows r ON r.season_no = s.no AND r.player_id = m.player_id
                    AND r.position = m.position
                LEFT JOIN boards b ON b.kind = 'league' AND b.variant = 'rummy51'
                    AND b.period = s.no || ':' || m.position
                LEFT JOIN board_entries e ON e.board_id = b.id AND e.player_id = m.player_id
                WHERE m.player_id = p_player),
        'items', (SELECT jsonb_agg(jsonb_build_object(
                      'id', l.id, 'name', l.name, 'open', l.open, 'room', l.id,
                      'promote_rating', l.promote_rating, 'promote_places', l.promote_places,
                      'relegate_rating', l.relegate_rating, 'relegate_places', l.relegate_places,
                      'prizes', (SELECT jsonb_agg(gold ORDER BY place) FROM league_prizes z
                                 WHERE z.league_id = l.id))
                      ORDER BY l.position) FROM leagues l))::text
    FROM seasons s
    WHERE s.state IN ('opening', 'open', 'closing')
      AND (p_player = 0 OR EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.deleted_at IS NULL))
$$;

COMMENT ON FUNCTION q_leagues IS
'The leagues, the season''s end, and the reader''s own standing, as JSON. p_player 0: a visitor, who has no
standing. No row: there is no such player.
Called by api.';
