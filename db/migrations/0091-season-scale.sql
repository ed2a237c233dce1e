-- The end of a season for a million players: nothing of it looks at all players while games wait, and steps are large enough to go through
-- tables rather than look up row by row.

UPDATE settings SET value = '50000' WHERE name = 'season_batch';

-- Made by the end of a season from rows that have their keys; a check of each costs more than the row.
ALTER TABLE counts_due DROP CONSTRAINT counts_due_player_id_fkey;
-- Who moves changes his position: without an index over it that is one place on his page.
DROP INDEX league_members_position;
ALTER TABLE league_members SET (fillfactor = 80);

-- Players with enough games in a league: all before the place of one with a game too few and all points.
CREATE OR REPLACE FUNCTION league_ranked_n(p_season integer, p_position integer) RETURNS bigint
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN board_place(league_board(p_season, p_position), (1::bigint << 60) - 1, -9223372036854775807) - 1;
END $$;

-- The leagues that will be open when the season's results are known.
CREATE OR REPLACE FUNCTION leagues_to_open() RETURNS SETOF text
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT l.id FROM leagues l JOIN rooms r ON r.id = l.id JOIN titles t ON t.name = r.title
    WHERE NOT l.open AND l.opens_players IS NOT NULL
      AND l.opens_players <= (SELECT count(*) FROM (
              SELECT 1 FROM league_members m JOIN players p ON p.id = m.player_id
              WHERE m.position = l.position - 1 AND p.level >= t.level_from AND p.deleted_at IS NULL LIMIT l.opens_players) e);
END $$;

-- As in 0034. What takes long is looked at before games wait.
CREATE OR REPLACE FUNCTION season_close(s seasons, p_at timestamptz) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_first integer := (SELECT min(position) FROM leagues);
    v_open  text[] := ARRAY(SELECT leagues_to_open());
BEGIN
    PERFORM lock_seasons(true);
    PERFORM ensure_seasons(p_at);
    UPDATE leagues SET open = true WHERE id = ANY (v_open);
    UPDATE seasons SET state = 'closing', step = 'rank', at_position = v_first, at_place = 0, at_score = NULL, at_player = 0,
                       ranked_n = league_ranked_n(s.no, v_first)
    WHERE no = s.no;
    RETURN '{}';
END $$;

-- As in 0040; only whose promotion is earned is asked for his level.
CREATE OR REPLACE FUNCTION league_decisions(p_season integer, p_position integer, p_ranked bigint, p_place bigint, p_score bigint,
                                 p_player bigint, p_limit bigint, p_preview boolean)
    RETURNS TABLE (player_id bigint, score bigint, place bigint, games bigint, rating integer, to_position smallint,
                   reason text, said text)
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
        SELECT e.player_id, e.score, p_place + row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
        FROM board_entries e
        WHERE e.board_id = v_board AND (e.score, -e.player_id) < (coalesce(p_score, 9223372036854775807), -p_player)
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
        FROM page g JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
    ), allowed AS (
        SELECT e.*, CASE WHEN p.level < v_level THEN 'room_locked' ELSE e.earned END AS reason
        FROM earned e LEFT JOIN players p ON e.earned = 'promoted' AND p.id = e.player_id
    )
    SELECT j.player_id, j.score, j.place, j.games, j.rating, m.to_position, j.reason,
           CASE j.reason
        WHEN 'too_few_games' THEN j.games || ' of at least ' || v_games_min || ' games counted in the ' || l.name || ' league'
             || CASE WHEN v_first THEN ', so you stay.' ELSE ': you play one league lower.' END
        WHEN 'relegated' THEN CASE WHEN j.rating < l.relegate_rating
             THEN 'Rating ' || j.rating || ' is below the ' || l.relegate_rating || ' the ' || l.name || ' league asks for.'
             ELSE 'Place ' || j.place || ' is among the last ' || l.relegate_places || ' of the ' || l.name || ' league.' END
        WHEN 'promoted' THEN CASE WHEN l.promote_rating IS NOT NULL
             THEN 'Rating ' || j.rating || ' reaches the ' || l.promote_rating || ' for promotion to the ' || n.name || ' league.'
             ELSE 'Place ' || j.place || ' is among the first ' || l.promote_places || ': promotion to the ' || n.name || ' league.' END
        WHEN 'room_locked' THEN 'Promotion to the ' || n.name || ' league was earned, but the ' || n.name || ' room is not unlocked yet.'
        WHEN 'league_closed' THEN 'Promotion was earned, but the ' || n.name || ' league is not open yet.'
        ELSE 'Place ' || j.place || ' with a rating of ' || j.rating || ': you stay in the ' || l.name || ' league.' END
    FROM allowed j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

-- As in 0034, in smaller steps: players are locked meanwhile, and games of theirs that end wait for it.
INSERT INTO settings (name, value, about) VALUES
    ('season_open_batch', '5000', 'players one step of a season''s opening deals with; their games wait for it');
CREATE OR REPLACE FUNCTION season_open(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_limit   bigint := setting_int('season_open_batch');
    v_players bigint[] := ARRAY(SELECT DISTINCT player_id FROM league_games
                                WHERE season_no = s.no AND player_id > s.at_player ORDER BY player_id LIMIT v_limit);
BEGIN
    PERFORM lock_players(v_players);
    PERFORM make_league_rows(s.no, v_players);
    IF cardinality(v_players) = v_limit THEN
        UPDATE seasons SET at_player = v_players[v_limit] WHERE no = s.no;
    ELSE
        UPDATE seasons SET state = 'open' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('opened', cardinality(v_players));
END $$;
