-- The end of a season with partitions, whose sizes the planner learns only by a look (ANALYZE) after they are filled: what a step looks up is looked up by
-- key, so that no step reads the whole of a table for its own players, and in the order of players, in which tables lie.

-- As in 0091; what is looked up is looked up in the order of players, as it lies.
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
        FROM (SELECT * FROM page ORDER BY player_id) g JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
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

-- As in 0034, in the order of players.
CREATE OR REPLACE FUNCTION season_rank(s seasons) RETURNS jsonb
    LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off SET work_mem = '32MB' AS $$
DECLARE
    v_limit bigint := setting_int('season_batch');
    v_next  integer := (SELECT min(position) FROM leagues WHERE position > s.at_position);
    v_n     bigint;
    v_moved bigint;
    v_place bigint;
    v_score bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM league_decisions(s.no, s.at_position, s.ranked_n, s.at_place, s.at_score, s.at_player, v_limit, false)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, place, games, rating, to_position, reason, said)
        SELECT s.no, player_id, s.at_position, place, games, rating, to_position, reason, said FROM decided ORDER BY player_id
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM (SELECT * FROM decided ORDER BY player_id) d WHERE m.player_id = d.player_id AND d.to_position <> s.at_position
        RETURNING 1
    )
    SELECT count(*), (SELECT count(*) FROM moved), max(place),
           (array_agg(score ORDER BY place DESC))[1], (array_agg(player_id ORDER BY place DESC))[1]
    INTO v_n, v_moved, v_place, v_score, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_place = v_place, at_score = v_score, at_player = v_player WHERE no = s.no;
    ELSIF v_next IS NOT NULL THEN
        UPDATE seasons SET at_position = v_next, at_place = 0, at_score = NULL, at_player = 0,
                           ranked_n = league_ranked_n(s.no, v_next) WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'absent', at_player = 0 WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'moved', v_moved);
END $$;

ALTER FUNCTION season_absent(seasons) SET enable_hashjoin = off;
ALTER FUNCTION season_absent(seasons) SET enable_mergejoin = off;
ALTER FUNCTION season_absent(seasons) SET work_mem = '32MB';

-- As in 0034: `league:<season>:<league>:<place>`. Only the first places are read, which an index has.
CREATE OR REPLACE FUNCTION season_prizes(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_row  record;
    v_n    bigint := 0;
    v_gold bigint := 0;
    v_last bigint := (SELECT max(place) FROM league_prizes);
BEGIN
    PERFORM lock_players(ARRAY(SELECT r.player_id FROM season_results r WHERE r.season_no = s.no AND r.place <= v_last));
    FOR v_row IN
        SELECT r.player_id, r.place, l.id, p.gold
        FROM season_results r JOIN leagues l ON l.position = r.position
        JOIN league_prizes p ON p.league_id = l.id AND p.place = r.place
        WHERE r.season_no = s.no AND r.place <= v_last AND r.reason NOT IN ('too_few_games', 'inactive') AND p.gold > 0
        ORDER BY r.player_id LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'league',
                          'league:' || s.no || ':' || v_row.id || ':' || v_row.place, '');
        UPDATE season_results SET prize_gold = v_row.gold WHERE season_no = s.no AND player_id = v_row.player_id;
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    UPDATE seasons SET step = 'finish' WHERE no = s.no;
    RETURN jsonb_build_object('prizes', v_n, 'gold', v_gold);
END $$;
