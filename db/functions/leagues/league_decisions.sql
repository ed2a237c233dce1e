CREATE OR REPLACE FUNCTION league_decisions(p_season integer, p_position integer, p_ranked bigint,
                                            p_place bigint, p_score bigint, p_player bigint, p_limit bigint,
                                            p_preview boolean)
    RETURNS TABLE (player_id bigint, score bigint, place bigint, games bigint, rating integer,
                   to_position smallint, reason text, said text)
    LANGUAGE plpgsql ROWS 50000 AS $$
#variable_conflict use_column
DECLARE
    l       leagues;
    n       leagues;
    v_board integer := league_board(p_season, p_position);
    v_level integer; -- of the room of the league above
    v_open  boolean;
    v_first boolean := p_position = (SELECT min(position) FROM leagues);
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    SELECT * INTO STRICT l FROM leagues WHERE position = p_position;
    SELECT * INTO n FROM leagues WHERE position = p_position + 1;
    v_level := (SELECT t.level_from FROM rooms r JOIN titles t ON t.name = r.title WHERE r.id = n.id);
    v_open := n.open OR p_preview AND n.id IN (SELECT leagues_to_open());
    RETURN QUERY
    WITH page AS (
        SELECT e.player_id, e.score,
               p_place + row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
        FROM board_entries e
        WHERE e.board_id = v_board AND (e.score, -e.player_id) < (coalesce(p_score, 9223372036854775807),
                                                                  -p_player)
        ORDER BY e.score DESC, (-e.player_id) DESC LIMIT p_limit
    ), earned AS (
        SELECT g.player_id, g.score, g.place, r.games, r.rating,
               CASE WHEN r.games < v_games_min THEN 'too_few_games'
                    WHEN r.rating < l.relegate_rating THEN 'relegated'
                    WHEN g.place > p_ranked - l.relegate_places THEN 'relegated'
                    WHEN n.id IS NULL THEN 'stays'
                    WHEN r.rating >= l.promote_rating OR g.place <= l.promote_places THEN
                        CASE WHEN v_open THEN 'promoted' ELSE 'league_closed' END
                    ELSE 'stays' END AS earned
        FROM (SELECT * FROM page ORDER BY player_id) g
        JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
    ), allowed AS (
        SELECT e.*, CASE WHEN p.level < v_level THEN 'room_locked' ELSE e.earned END AS reason
        FROM earned e LEFT JOIN players p ON e.earned = 'promoted' AND p.id = e.player_id
    )
    SELECT j.player_id, j.score, j.place, j.games, j.rating, m.to_position, j.reason,
           CASE j.reason
        WHEN 'too_few_games' THEN j.games || ' of at least ' || v_games_min || ' games counted in the '
            || l.name || ' league'
             || CASE WHEN v_first THEN ', so you stay.' ELSE ': you play one league lower.' END
        WHEN 'relegated' THEN CASE WHEN j.rating < l.relegate_rating
             THEN 'Rating ' || j.rating || ' is below the ' || l.relegate_rating || ' the ' || l.name
                 || ' league asks for.'
             ELSE 'Place ' || j.place || ' is among the last ' || l.relegate_places || ' of the ' || l.name
                 || ' league.' END
        WHEN 'promoted' THEN CASE WHEN l.promote_rating IS NOT NULL
             THEN 'Rating ' || j.rating || ' reaches the ' || l.promote_rating || ' for promotion to the '
                 || n.name || ' league.'
             ELSE 'Place ' || j.place || ' is among the first ' || l.promote_places || ': promotion to the '
                 || n.name || ' league.' END
        WHEN 'room_locked' THEN 'Promotion to the ' || n.name || ' league was earned, but the ' || n.name
            || ' room is not unlocked yet.'
        WHEN 'league_closed' THEN 'Promotion was earned, but the ' || n.name || ' league is not open yet.'
        ELSE 'Place ' || j.place || ' with a rating of ' || j.rating || ': you stay in the ' || l.name
            || ' league.' END
    FROM allowed j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

COMMENT ON FUNCTION league_decisions IS
'What the end of a season means for the players of one league behind a place of its table, p_limit of them.
p_ranked: how many have enough games. p_preview: leagues that would open by now count as open; once a season
is closing, they are. The order of the rules: too few games, relegation, promotion.
What is looked up is looked up by key, in the order of players, as it lies: no step reads the whole of a
table for its own players.
Called by q_season_preview, season_rank.';
