-- The end of a season, in steps of bounded size, each a transaction of its own: `job season_rollover`. What a step has done
-- stands in the season's row, so the next one, whoever makes it, goes on behind it; a step that is killed has done nothing.
-- Steps wait for each other. What is looked at stands still: a closing season counts no more games.

-- What became of a player. place: in his league, those with enough games first; NULL without a counted game.
-- to_position: where he plays next; NULL: nowhere, until he plays again. reason is for the program, said for people.
CREATE TABLE season_results (
    season_no   integer  NOT NULL REFERENCES seasons (no),
    player_id   bigint   NOT NULL REFERENCES players (id),
    position    smallint NOT NULL,
    place       bigint,
    games       bigint   NOT NULL,
    rating      integer,
    to_position smallint,
    reason      text     NOT NULL CHECK (reason IN ('inactive', 'too_few_games', 'relegated', 'promoted', 'room_locked',
                                                    'league_closed', 'stays')),
    said        text     NOT NULL,
    prize_gold  bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (season_no, player_id)
);
CREATE INDEX season_results_player ON season_results (player_id, season_no DESC);

-- Why, in one sentence. l: the player's league; n: the one above it.
CREATE FUNCTION season_said(p_reason text, p_games bigint, p_rating integer, p_place bigint, p_moves boolean, l leagues, n leagues)
    RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE p_reason
        WHEN 'inactive' THEN 'No game counted in the ' || l.name || ' league this season'
             || CASE WHEN p_moves THEN ': you play one league lower.' ELSE ': you are in no league until you play again.' END
        WHEN 'too_few_games' THEN p_games || ' of at least ' || setting_int('season_games_min') || ' games counted in the ' || l.name || ' league'
             || CASE WHEN p_moves THEN ': you play one league lower.' ELSE ', so you stay.' END
        WHEN 'relegated' THEN CASE WHEN l.relegate_rating IS NOT NULL AND p_rating < l.relegate_rating
             THEN 'Rating ' || p_rating || ' is below the ' || l.relegate_rating || ' the ' || l.name || ' league asks for.'
             ELSE 'Place ' || p_place || ' is among the last ' || l.relegate_places || ' of the ' || l.name || ' league.' END
        WHEN 'promoted' THEN CASE WHEN l.promote_rating IS NOT NULL
             THEN 'Rating ' || p_rating || ' reaches the ' || l.promote_rating || ' for promotion to the ' || n.name || ' league.'
             ELSE 'Place ' || p_place || ' is among the first ' || l.promote_places || ': promotion to the ' || n.name || ' league.' END
        WHEN 'room_locked' THEN 'Promotion to the ' || n.name || ' league was earned, but the ' || n.name || ' room is not unlocked yet.'
        WHEN 'league_closed' THEN 'Promotion was earned, but the ' || n.name || ' league is not open yet.'
        ELSE 'Place ' || p_place || ' with a rating of ' || p_rating || ': you stay in the ' || l.name || ' league.' END
$$;

-- The leagues that will be open when the season's results are known.
CREATE FUNCTION leagues_to_open() RETURNS SETOF text
    LANGUAGE sql STABLE AS $$
    SELECT l.id FROM leagues l JOIN rooms r ON r.id = l.id JOIN titles t ON t.name = r.title
    WHERE NOT l.open AND l.opens_players IS NOT NULL
      AND l.opens_players <= (SELECT count(*) FROM league_members m JOIN players p ON p.id = m.player_id
                              WHERE m.position = l.position - 1 AND p.level >= t.level_from AND p.deleted_at IS NULL)
$$;

-- What the end of the season means for the players of one league behind a place of its table, p_limit of them.
-- p_ranked: how many have enough games. p_preview: leagues that would open by now count as open; once a season is closing,
-- they are. The order of the rules: too few games, relegation, promotion.
CREATE FUNCTION league_decisions(p_season integer, p_position integer, p_ranked bigint, p_place bigint, p_score bigint,
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
        WHERE e.board_id = v_board AND (p_score IS NULL OR (e.score, -e.player_id) < (p_score, -p_player))
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
           season_said(j.reason, j.games, j.rating, j.place, m.to_position <> p_position, l, n)
    FROM judged j CROSS JOIN LATERAL (
        SELECT (p_position + CASE WHEN j.reason = 'promoted' THEN 1
                                  WHEN j.reason IN ('too_few_games', 'relegated') AND NOT v_first THEN -1
                                  ELSE 0 END)::smallint AS to_position) m
    ORDER BY j.place;
END $$;

-- Players of any league without a counted game, by id: one league down, or out of the lowest.
CREATE FUNCTION absent_decisions(p_season integer, p_player bigint, p_limit bigint)
    RETURNS TABLE (player_id bigint, "position" smallint, to_position smallint, said text)
    LANGUAGE sql STABLE AS $$
    SELECT m.player_id, m.position, t.to_position, season_said('inactive', 0, NULL, NULL, t.to_position IS NOT NULL, l, NULL)
    FROM (SELECT * FROM league_members o
          WHERE o.player_id > p_player AND o.since <= p_season
            AND NOT EXISTS (SELECT 1 FROM league_rows r WHERE r.season_no = p_season AND r.player_id = o.player_id)
          ORDER BY o.player_id LIMIT p_limit) m
    JOIN leagues l ON l.position = m.position
    CROSS JOIN LATERAL (SELECT max(o.position) AS to_position FROM leagues o WHERE o.position < m.position) t
    ORDER BY m.player_id
$$;

-- Players with enough games in a league: the first so many of its table.
CREATE FUNCTION league_ranked_n(p_season integer, p_position integer) RETURNS bigint
    LANGUAGE sql AS $$
    SELECT count(*) FROM board_entries WHERE board_id = league_board(p_season, p_position) AND score >= 1::bigint << 60
$$;

CREATE FUNCTION season_close(s seasons, p_at timestamptz) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_first integer := (SELECT min(position) FROM leagues);
BEGIN
    PERFORM lock_seasons(true);
    PERFORM ensure_seasons(p_at);
    UPDATE leagues SET open = true WHERE id IN (SELECT leagues_to_open());
    UPDATE seasons SET state = 'closing', step = 'rank', at_position = v_first, at_place = 0, at_score = NULL, at_player = 0,
                       ranked_n = league_ranked_n(s.no, v_first)
    WHERE no = s.no;
    RETURN '{}';
END $$;

CREATE FUNCTION season_rank(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
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
        SELECT s.no, player_id, s.at_position, place, games, rating, to_position, reason, said FROM decided
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM decided d WHERE m.player_id = d.player_id AND d.to_position <> s.at_position
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

CREATE FUNCTION season_absent(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_limit  bigint := setting_int('season_batch');
    v_n      bigint;
    v_player bigint;
BEGIN
    WITH decided AS (
        SELECT * FROM absent_decisions(s.no, s.at_player, v_limit)
    ), stored AS (
        INSERT INTO season_results (season_no, player_id, position, games, to_position, reason, said)
        SELECT s.no, player_id, "position", 0, to_position, 'inactive', said FROM decided
    ), moved AS (
        UPDATE league_members m SET position = d.to_position, since = s.no + 1
        FROM decided d WHERE m.player_id = d.player_id AND d.to_position IS NOT NULL
    ), gone AS (
        DELETE FROM league_members m USING decided d WHERE m.player_id = d.player_id AND d.to_position IS NULL
    )
    SELECT count(*), max(player_id) INTO v_n, v_player FROM decided;
    IF v_n = v_limit THEN
        UPDATE seasons SET at_player = v_player WHERE no = s.no;
    ELSE
        UPDATE seasons SET step = 'prizes' WHERE no = s.no;
    END IF;
    RETURN jsonb_build_object('players', v_n, 'absent', v_n, 'moved', v_n);
END $$;

-- `league:<season>:<league>:<place>`
CREATE FUNCTION season_prizes(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_row  record;
    v_n    bigint := 0;
    v_gold bigint := 0;
BEGIN
    PERFORM lock_players(ARRAY(SELECT r.player_id FROM season_results r WHERE r.season_no = s.no
                               AND r.place <= (SELECT max(place) FROM league_prizes)));
    FOR v_row IN
        SELECT r.player_id, r.place, l.id, p.gold
        FROM season_results r JOIN leagues l ON l.position = r.position
        JOIN league_prizes p ON p.league_id = l.id AND p.place = r.place
        WHERE r.season_no = s.no AND r.reason NOT IN ('too_few_games', 'inactive') AND p.gold > 0
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

CREATE FUNCTION season_finish(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_seasons(true);
    UPDATE seasons SET state = 'ended', step = '' WHERE no = s.no;
    UPDATE seasons SET state = 'opening', at_player = 0 WHERE no = s.no + 1;
    RETURN '{"seasons": 1}';
END $$;

-- The tables of a season that began before the one before it was worked off. Games that end meanwhile make their own lines.
CREATE FUNCTION season_open(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_limit   bigint := setting_int('season_batch');
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

-- One step towards all seasons that are over at p_at being ended.
CREATE FUNCTION season_rollover_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    s seasons;
    v_result jsonb;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd season step', 0));
    SELECT * INTO STRICT s FROM seasons WHERE state IN ('opening', 'open', 'closing');
    IF s.state = 'open' AND s.ends_at > p_at THEN
        RETURN ROW(false, '{"seasons": 0}')::job_step;
    END IF;
    v_result := CASE WHEN s.state = 'opening' THEN season_open(s)
                     WHEN s.state = 'open' THEN season_close(s, p_at)
                     WHEN s.step = 'rank' THEN season_rank(s)
                     WHEN s.step = 'absent' THEN season_absent(s)
                     WHEN s.step = 'prizes' THEN season_prizes(s)
                     ELSE season_finish(s) END;
    RETURN ROW(true, v_result)::job_step;
END $$;
