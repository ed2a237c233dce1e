CREATE OR REPLACE FUNCTION league_decisions(p_season integer, p_position integer, p_cuts league_cuts,
                                            p_place bigint, p_score bigint, p_player bigint, p_limit bigint)
    RETURNS TABLE (player_id bigint, score bigint, place bigint, games bigint, rating integer,
                   to_position smallint, reason text, rule jsonb)
    LANGUAGE plpgsql ROWS 50000 AS $$
#variable_conflict use_column
DECLARE
    l       leagues;
    n       leagues;
    v_board integer := league_board(p_season, p_position);
    v_level integer; -- level that unlocks the room of the league above
    v_first boolean := p_position = (SELECT min(position) FROM leagues);
    v_games_min bigint := setting_int('season_games_min');
    -- Thresholds, computed once for all players.
    v_few   jsonb := jsonb_build_object('games_min', v_games_min);
    v_low   jsonb;
    v_last  jsonb;
    v_high  jsonb;
    v_top   jsonb;
    v_next  jsonb;
BEGIN
    SELECT * INTO STRICT l FROM leagues WHERE position = p_position;
    SELECT * INTO n FROM leagues WHERE position = p_position + 1;
    v_level := (SELECT t.level_from FROM rooms r JOIN titles t ON t.name = r.title WHERE r.id = n.id);
    v_low := jsonb_build_object('relegate_rating', l.relegate_rating);
    v_last := jsonb_build_object('relegate_places', p_cuts.relegate_places);
    v_high := jsonb_build_object('promote_rating', l.promote_rating);
    v_top := jsonb_build_object('promote_places', p_cuts.promote_places);
    v_next := jsonb_build_object('next_league', n.id);
    RETURN QUERY
    WITH page AS (
        SELECT e.player_id, e.score,
               p_place + row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
        FROM board_entries e
        WHERE e.board_id = v_board AND (e.score, -e.player_id) < (coalesce(p_score, 9223372036854775807),
                                                                  -p_player)
        ORDER BY e.score DESC, (-e.player_id) DESC LIMIT p_limit
    ), measured AS (
        SELECT g.player_id, g.score, g.place, r.games, r.rating,
               n.id IS NOT NULL AND r.games >= v_games_min
               AND (coalesce(r.rating >= l.promote_rating, false) OR g.place <= p_cuts.promote_to) AS up,
               coalesce(r.rating < l.relegate_rating, false) OR g.place >= p_cuts.relegate_from AS down
        FROM (SELECT * FROM page ORDER BY player_id) g
        JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
    ), decided AS (
        SELECT m.*, CASE WHEN m.games < v_games_min THEN 'too_few_games'
                         WHEN m.up AND p_cuts.open AND p.level >= v_level THEN 'promoted'
                         WHEN m.down THEN 'relegated'
                         WHEN m.up AND NOT p_cuts.open THEN 'league_closed'
                         WHEN m.up THEN 'room_locked'
                         ELSE 'stays' END AS reason
        FROM measured m LEFT JOIN players p ON m.up AND p.id = m.player_id
    )
    SELECT j.player_id, j.score, j.place, j.games, j.rating, m.to_position, j.reason,
           CASE j.reason
        WHEN 'too_few_games' THEN v_few
        WHEN 'relegated' THEN CASE WHEN j.rating < l.relegate_rating THEN v_low ELSE v_last END
        WHEN 'promoted' THEN CASE WHEN j.rating >= l.promote_rating THEN v_high ELSE v_top END
        WHEN 'room_locked' THEN v_next
        WHEN 'league_closed' THEN v_next
        ELSE '{}' END
    FROM decided j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

COMMENT ON FUNCTION league_decisions IS
'What the end of a season means for p_limit players of one league, after a place of its table. p_cuts: those
of this league (league_cuts). The rules are applied in order: too few games, promotion, relegation. rule:
the number, or the league, that decided the reason. Lookups are by key, in the physical order of players, so
that no step reads a whole table for its few players.
Called by q_season_preview, season_rank.';
