-- The end of a season for a million players, and pages of long boards, without work that grows with what lies before a page.

-- What is made from other rows, a million at a time, has no foreign keys: they cost a look-up for each row, and the rows it is
-- made from have them.
ALTER TABLE season_results DROP CONSTRAINT season_results_season_no_fkey, DROP CONSTRAINT season_results_player_id_fkey;
ALTER TABLE league_rows DROP CONSTRAINT league_rows_season_no_fkey, DROP CONSTRAINT league_rows_player_id_fkey;
ALTER TABLE league_members DROP CONSTRAINT league_members_position_fkey;
ALTER TABLE board_entries DROP CONSTRAINT board_entries_board_id_fkey, DROP CONSTRAINT board_entries_player_id_fkey;
ALTER TABLE notifications DROP CONSTRAINT notifications_player_id_fkey;
DROP INDEX notifications_unread; -- a player's own are few
-- One index for each player's results and one for the few that bring prizes.
ALTER TABLE season_results DROP CONSTRAINT season_results_pkey;
DROP INDEX season_results_player;
ALTER TABLE season_results ADD PRIMARY KEY (player_id, season_no);
CREATE INDEX season_results_first ON season_results (season_no, place) WHERE place <= 100;

-- As in 0033; the settings are read once for all rows.
CREATE OR REPLACE FUNCTION make_league_rows(p_season integer, p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_scale     bigint := setting_int('rating_scale');
    v_most      bigint := setting_int('game_points_max');
    v_games_min bigint := setting_int('season_games_min');
BEGIN
    INSERT INTO league_members (player_id, position, since)
    SELECT DISTINCT g.player_id, (SELECT min(position) FROM leagues), p_season
    FROM unnest(p_players) u (player_id) JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
    ON CONFLICT (player_id) DO NOTHING;
    WITH counted AS (
        SELECT g.player_id, m.position, sum(g.games)::bigint AS games, sum(g.points)::bigint AS points, sum(g.wins)::bigint AS wins
        FROM unnest(p_players) u (player_id)
        JOIN league_games g ON g.season_no = p_season AND g.player_id = u.player_id
        JOIN league_members m ON m.player_id = g.player_id AND g.room_position >= m.position
        GROUP BY g.player_id, m.position
    ), rows AS (
        INSERT INTO league_rows AS r (season_no, player_id, position, games, points, wins, rating)
        SELECT p_season, player_id, position, games, points, wins, (points * v_scale / (games * v_most))::integer
        FROM counted
        ON CONFLICT (season_no, player_id) DO UPDATE
        SET games = excluded.games, points = excluded.points, wins = excluded.wins, rating = excluded.rating
        RETURNING r.player_id, r.position, r.games, r.wins, r.rating
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT b.board, r.player_id, CASE WHEN r.games >= v_games_min THEN 1::bigint << 60 ELSE 0 END -- as league_score
           + (r.rating::bigint << 40) + (least(r.games, 1048575) << 20) + least(r.wins, 1048575)
    FROM rows r JOIN (SELECT o.position, league_board(p_season, o.position) AS board
                      FROM (SELECT DISTINCT position FROM counted) o) b ON b.position = r.position
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

-- As in 0034, in one statement without a function for each row, and with a range of the index for each page.
CREATE OR REPLACE FUNCTION league_decisions(p_season integer, p_position integer, p_ranked bigint, p_place bigint, p_score bigint,
                                 p_player bigint, p_limit bigint, p_preview boolean)
    RETURNS TABLE (player_id bigint, score bigint, place bigint, games bigint, rating integer, to_position smallint,
                   reason text, said text)
    LANGUAGE plpgsql AS $$
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
    ), judged AS (
        SELECT g.player_id, g.score, g.place, r.games, r.rating,
               CASE WHEN r.games < v_games_min THEN 'too_few_games'
                    WHEN r.rating < l.relegate_rating THEN 'relegated'
                    WHEN g.place > p_ranked - l.relegate_places THEN 'relegated'
                    WHEN n.id IS NULL THEN 'stays'
                    WHEN r.rating >= l.promote_rating OR g.place <= l.promote_places THEN
                        CASE WHEN NOT v_open THEN 'league_closed' WHEN p.level < v_level THEN 'room_locked'
                             ELSE 'promoted' END
                    ELSE 'stays' END AS reason
        FROM page g JOIN league_rows r ON r.season_no = p_season AND r.player_id = g.player_id
        JOIN players p ON p.id = g.player_id
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
    FROM judged j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

CREATE OR REPLACE FUNCTION absent_decisions(p_season integer, p_player bigint, p_limit bigint)
    RETURNS TABLE (player_id bigint, "position" smallint, to_position smallint, said text)
    LANGUAGE sql STABLE AS $$
    SELECT m.player_id, m.position, l.to_position, 'No game counted in the ' || l.name || ' league this season'
           || CASE WHEN l.to_position IS NOT NULL THEN ': you play one league lower.' ELSE ': you are in no league until you play again.' END
    FROM (SELECT * FROM league_members o
          WHERE o.player_id > p_player AND o.since <= p_season
            AND NOT EXISTS (SELECT 1 FROM league_rows r WHERE r.season_no = p_season AND r.player_id = o.player_id)
          ORDER BY o.player_id LIMIT p_limit) m
    JOIN (SELECT position, name, lag(position) OVER (ORDER BY position) AS to_position FROM leagues) l ON l.position = m.position
    ORDER BY m.player_id
$$;

DROP FUNCTION season_said(text, bigint, integer, bigint, boolean, leagues, leagues);

-- As in 0036: who moved, or would have but for a lock. Who is out of all leagues is told when he plays again.
CREATE OR REPLACE FUNCTION season_result_tells() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data)
    SELECT r.player_id, 'season', jsonb_build_object('season', r.season_no, 'league', l.id, 'to_league', t.id,
                                                     'reason', r.reason, 'said', r.said)
    FROM new_rows r JOIN leagues l ON l.position = r.position LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.to_position <> r.position OR r.reason IN ('room_locked', 'league_closed');
    RETURN NULL;
END $$;

-- As before, with a range of the index for each page.
CREATE OR REPLACE FUNCTION q_league_table(p_player bigint, p_league text, p_score bigint, p_after bigint, p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_season seasons;
    v_league leagues;
    v_board  integer;
BEGIN
    SELECT * INTO v_league FROM leagues WHERE id = p_league;
    SELECT * INTO STRICT v_season FROM seasons WHERE state IN ('opening', 'open', 'closing');
    SELECT id INTO v_board FROM boards
    WHERE kind = 'league' AND variant = 'rummy51' AND period = v_season.no || ':' || v_league.position;
    RETURN QUERY SELECT CASE WHEN v_league.id IS NULL THEN 'no_such_league' ELSE 'ok' END,
                        jsonb_build_object('league', v_league.id, 'season', v_season.no)::text,
                        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar,
                                    'title', v.title, 'games', r.games, 'wins', r.wins, 'rating', r.rating,
                                    'ranked', e.score >= 1::bigint << 60, 'own', e.player_id = p_player)::text,
           e.score, e.player_id, e.place
    FROM (SELECT o.player_id, o.score,
                 coalesce(p_place, 0) + row_number() OVER (ORDER BY o.score DESC, (-o.player_id) DESC) AS place
          FROM board_entries o
          WHERE o.board_id = v_board AND (o.score, -o.player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_after, 0))
          ORDER BY o.score DESC, (-o.player_id) DESC LIMIT p_limit) e
    JOIN players p ON p.id = e.player_id JOIN levels v ON v.level = p.level
    JOIN league_rows r ON r.season_no = v_season.no AND r.player_id = e.player_id
    ORDER BY e.place;
END $$;

-- Lines of a board for the entries given, best first; places as given, or found when they are NULL.
CREATE FUNCTION board_lines(p_reader bigint, p_board integer, p_players bigint[], p_scores bigint[], p_places bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint, body jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    RETURN QUERY
    SELECT e.player_id, e.score, o.place, jsonb_build_object(
        'place', o.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
        'value', board_value(v_board.kind, e.score), 'games', r.games, 'own', e.player_id = p_reader)
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, given)
    CROSS JOIN LATERAL (SELECT coalesce(e.given, board_place(p_board, e.score, e.player_id)) AS place) o
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period
    ORDER BY e.score DESC, e.player_id;
END $$;

-- The entries behind a place, best first; p_score NULL: from the top.
CREATE FUNCTION board_behind(p_board integer, p_score bigint, p_player bigint, p_limit bigint, OUT players bigint[], OUT scores bigint[])
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(player_id), '{}'), coalesce(array_agg(score), '{}')
    FROM (SELECT player_id, score FROM board_entries
          WHERE board_id = p_board AND (score, -player_id) < (coalesce(p_score, 9223372036854775807), -coalesce(p_player, 0))
          ORDER BY score DESC, (-player_id) DESC LIMIT p_limit) e
$$;

-- As in 0037, with a range of the index for each page.
CREATE OR REPLACE FUNCTION q_board(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint,
                                   p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind, 'period', coalesce((SELECT period FROM boards WHERE id = v_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, p_score, p_after, p_limit);
    RETURN QUERY
    SELECT 'ok', l.body::text, l.score, l.player_id, l.place
    FROM board_lines(p_reader, v_board, v_players, v_scores,
                     ARRAY(SELECT coalesce(p_place, 0) + n FROM generate_series(1, cardinality(v_players)) n)) l;
END $$;

CREATE OR REPLACE FUNCTION q_board_around(p_reader bigint, p_variant text, p_kind text, p_period text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_score   bigint := (SELECT score FROM board_entries WHERE board_id = v_board AND player_id = p_reader);
    v_place   bigint := CASE WHEN v_score IS NOT NULL THEN board_place(v_board, v_score, p_reader) END;
    v_n       bigint := setting_int('board_around');
    v_before  bigint[];
    v_players bigint[];
    v_scores  bigint[];
    v_above   bigint[];
BEGIN
    IF v_place IS NOT NULL THEN
        SELECT array_agg(player_id ORDER BY score DESC, player_id), array_agg(score ORDER BY score DESC, player_id)
        INTO v_before, v_above
        FROM (SELECT player_id, score FROM board_entries WHERE board_id = v_board AND (score, -player_id) > (v_score, -p_reader)
              ORDER BY score, (-player_id) LIMIT v_n) a;
        SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, v_score, p_reader, v_n);
        v_players := coalesce(v_before, '{}') || p_reader || v_players;
        v_scores := coalesce(v_above, '{}') || v_score || v_scores;
    END IF;
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object('place', v_place, 'items', coalesce((
        SELECT jsonb_agg(l.body ORDER BY l.place)
        FROM board_lines(p_reader, v_board, v_players, v_scores,
                         ARRAY(SELECT v_place - coalesce(cardinality(v_before), 0) - 1 + n
                               FROM generate_series(1, cardinality(v_players)) n)) l), '[]'))::text;
END $$;

CREATE OR REPLACE FUNCTION q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_players bigint[];
    v_scores  bigint[];
BEGIN
    SELECT array_agg(player_id), array_agg(score) INTO v_players, v_scores FROM board_entries
    WHERE board_id = v_board AND player_id = ANY (ARRAY(SELECT friends_of(p_reader)) || p_reader);
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(l.body ORDER BY l.score DESC, l.player_id)
        FROM board_lines(p_reader, v_board, v_players, v_scores, NULL) l), '[]'))::text;
END $$;

DROP FUNCTION board_line(bigint, text, integer, bigint, bigint, bigint);
