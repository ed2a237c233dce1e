-- What a game that ends changes outside the ledger, in fewer statements: most of a statement's cost is its beginning (constraints are read, indexes and
-- triggers looked up), not its rows. All players of a game at once where each had statements of his own, all counters of one player at once, his Clover
-- points with his ratings.

DROP FUNCTION add_rating(bigint, text, timestamptz, bigint, boolean, boolean);

CREATE FUNCTION add_rating(p_player bigint, p_variant text, p_at timestamptz, p_points bigint, p_won boolean, p_rummy boolean, p_clover bigint DEFAULT 0)
    RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ratings AS r (player_id, variant, period, games, points, wins, rummies, rating, clover)
    SELECT p_player, p_variant, period, 1, p_points, p_won::integer, p_rummy::integer, rating_of(p_points, 1), p_clover
    FROM unnest(ARRAY[to_char(local_day(p_at), 'YYYY-MM'), 'all']) AS period
    ON CONFLICT (player_id, variant, period) DO UPDATE
    SET games = r.games + 1, points = r.points + excluded.points, wins = r.wins + excluded.wins,
        rummies = r.rummies + excluded.rummies, rating = rating_of(r.points + excluded.points, r.games + 1), clover = r.clover + excluded.clover;
    RETURN (SELECT rating FROM ratings WHERE player_id = p_player AND variant = p_variant AND period = 'all');
END $$;

CREATE OR REPLACE FUNCTION settle_points(p_game games, p_result game_players) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_before integer;
    v_own    boolean := has_own_points(p_game.variant);
    v_points integer;
    v_clover bigint := 0;
    v_gold   bigint := 0;
BEGIN
    v_points := CASE WHEN v_own THEN game_points(p_game.variant, p_result.place, p_result.opened, p_result.cards_left)
                     ELSE variant_points(p_result.place, (SELECT count(*)::integer FROM game_players WHERE game_id = p_game.id)) END;
    SELECT level INTO STRICT v_before FROM players WHERE id = p_result.player_id;
    IF v_own AND NOT p_game.practice THEN
        v_clover := clover_of(v_points, p_result.rummy, p_game.multiplier_tenths);
        v_gold := add_clover(p_result.player_id, v_clover);
    END IF;
    IF p_game.rated THEN
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, v_points, p_result.won, p_result.rummy, v_clover);
    END IF;
    UPDATE game_players g
    SET game_points = v_points, clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

-- All boards of a rating in one statement.
CREATE OR REPLACE FUNCTION ratings_rank() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_kind   text;
    v_boards integer[] := '{}';
    v_scores bigint[] := '{}';
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['rating', 'clover', 'wins', 'rummies'] LOOP
        IF (CASE v_kind WHEN 'rating' THEN NEW.games >= setting_int('rating_games_min') ELSE board_score(v_kind, NEW) > 0 END)
           AND (TG_OP = 'INSERT' OR board_score(v_kind, NEW) <> board_score(v_kind, OLD)) THEN
            v_boards := v_boards || board_of(v_kind, NEW.variant, NEW.period);
            v_scores := v_scores || board_score(v_kind, NEW);
        END IF;
    END LOOP;
    IF cardinality(v_boards) > 0 THEN
        INSERT INTO board_entries AS e (board_id, player_id, score)
        SELECT u.board_id, NEW.player_id, u.score FROM unnest(v_boards, v_scores) u (board_id, score)
        ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
    END IF;
    RETURN NULL;
END $$;

DROP FUNCTION board_set(integer, bigint, bigint);

-- Adds to counters of a player; of those in p_reached what counts is the highest. What is reached by it is given in the order of the counters.
CREATE FUNCTION count_all(p_player bigint, p_counters text[], p_ns bigint[], p_reached text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_achievement achievements;
BEGIN
    INSERT INTO player_counters AS c (player_id, counter, n)
    SELECT p_player, u.counter, u.n FROM unnest(p_counters, p_ns) u (counter, n)
    ON CONFLICT (player_id, counter) DO UPDATE
    SET n = CASE WHEN c.counter = ANY (p_reached) THEN greatest(c.n, excluded.n) ELSE c.n + excluded.n END;
    FOR v_achievement IN
        SELECT a.* FROM unnest(p_counters) WITH ORDINALITY u (counter, at)
        JOIN player_counters c ON c.player_id = p_player AND c.counter = u.counter
        JOIN achievements a ON a.counter = u.counter AND a.goal <= c.n
        WHERE NOT EXISTS (SELECT 1 FROM player_achievements e WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY u.at, a.position LOOP
        INSERT INTO player_achievements (player_id, achievement_id) VALUES (p_player, v_achievement.id);
        IF v_achievement.gold > 0 THEN
            PERFORM ledger_post('achievement', 'achievement:' || p_player || ':' || v_achievement.id, NULL, '',
                                credit_legs(p_player, 'gold', v_achievement.gold, 'achievement'));
        END IF;
        PERFORM notify_player(p_player, 'achievement', jsonb_build_object(
            'id', v_achievement.id, 'about', v_achievement.about, 'gold', v_achievement.gold));
    END LOOP;
END $$;

CREATE OR REPLACE FUNCTION count_towards(p_player bigint, p_counter text, p_n bigint, p_reached boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_all(p_player, ARRAY[p_counter], ARRAY[p_n], CASE WHEN p_reached THEN ARRAY[p_counter] ELSE '{}' END);
END $$;

CREATE OR REPLACE FUNCTION count_achievements(p_game games, p_result game_players) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    p bigint := p_result.player_id;
    f jsonb := p_result.facts;
    v_names  text[] := ARRAY['games'];
    v_ns     bigint[];
    v_streak bigint := (SELECT streak FROM player_days WHERE player_id = p);
    v_row    bigint;
BEGIN
    IF p_result.won THEN v_names := v_names || 'any_wins'::text; END IF;
    IF p_result.won AND p_game.rated THEN v_names := v_names || 'wins'::text; END IF;
    IF p_result.opened THEN v_names := v_names || 'opened'::text; END IF;
    IF p_result.rummy THEN v_names := v_names || 'rummies'::text; END IF;
    IF (f->>'opening')::bigint = 51 THEN v_names := v_names || 'opened_51'::text; END IF;
    IF (f->>'opening')::bigint >= 100 THEN v_names := v_names || 'opened_100'::text; END IF;
    IF (f->>'buried')::boolean THEN v_names := v_names || 'buried'::text; END IF;
    IF p_result.won AND (f->>'joker_out')::boolean THEN v_names := v_names || 'joker_out'::text; END IF;
    v_ns := array_fill(1::bigint, ARRAY[cardinality(v_names)]);
    IF (f->>'swaps')::bigint > 0 THEN
        v_names := v_names || 'swaps'::text;
        v_ns := v_ns || (f->>'swaps')::bigint;
    END IF;
    IF v_streak > 0 THEN
        v_names := v_names || 'day_streak'::text;
        v_ns := v_ns || v_streak;
    END IF;
    IF p_result.levels_gained > 0 THEN
        v_names := v_names || 'level'::text;
        v_ns := v_ns || p_result.level::bigint;
    END IF;
    IF p_game.rated THEN
        INSERT INTO player_counters AS c (player_id, counter, n) VALUES (p, 'wins_in_row', p_result.won::integer)
        ON CONFLICT (player_id, counter) DO UPDATE SET n = CASE WHEN p_result.won THEN c.n + 1 ELSE 0 END
        RETURNING n INTO v_row;
        IF v_row > 0 THEN
            v_names := v_names || 'win_streak'::text;
            v_ns := v_ns || v_row;
        END IF;
    END IF;
    PERFORM count_all(p, v_names, v_ns, '{day_streak,level,win_streak}');
END $$;

DROP FUNCTION count_stats(games, game_players);

CREATE FUNCTION count_stats(p_game games) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_stats (player_id, variant)
    SELECT r.player_id, p_game.variant FROM game_players r WHERE r.game_id = p_game.id AND r.player_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    UPDATE player_stats s
    SET games = s.games + 1, rated = s.rated + p_game.rated::integer, wins = s.wins + r.won::integer,
        points = s.points + CASE WHEN p_game.rated THEN r.game_points ELSE 0 END,
        opened = s.opened + r.opened::integer, rummies = s.rummies + r.rummy::integer,
        places[r.place] = s.places[r.place] + 1,
        streak = CASE WHEN NOT p_game.rated THEN s.streak WHEN r.won THEN s.streak + 1 ELSE 0 END,
        streak_best = greatest(s.streak_best, CASE WHEN p_game.rated AND r.won THEN s.streak + 1 ELSE 0 END)
    FROM game_players r
    WHERE r.game_id = p_game.id AND s.player_id = r.player_id AND s.variant = p_game.variant;
END $$;

DROP FUNCTION count_league_game(bigint, integer, bigint, boolean, timestamptz);

-- Games of several players that ended in one room at one moment.
CREATE FUNCTION count_league_games(p_players bigint[], p_room_position integer, p_points bigint[], p_won boolean[], p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_season seasons;
BEGIN
    PERFORM lock_seasons(false);
    PERFORM ensure_seasons(p_at);
    SELECT * INTO v_season FROM seasons
    WHERE state IN ('coming', 'opening', 'open') AND ends_at > p_at ORDER BY no LIMIT 1;
    IF NOT FOUND THEN -- it began before the season ended and ends behind it
        SELECT * INTO STRICT v_season FROM seasons WHERE state = 'coming' ORDER BY no LIMIT 1;
    END IF;
    INSERT INTO league_games AS g (season_no, player_id, room_position, games, points, wins)
    SELECT v_season.no, u.player_id, p_room_position, 1, u.points, u.won::integer
    FROM unnest(p_players, p_points, p_won) u (player_id, points, won)
    ON CONFLICT (season_no, player_id, room_position) DO UPDATE
    SET games = g.games + 1, points = g.points + excluded.points, wins = g.wins + excluded.wins;
    IF v_season.state <> 'coming' THEN
        PERFORM make_league_rows(v_season.no, p_players);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION table_counts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
    v_players  bigint[] := '{}';
    v_points   bigint[] := '{}';
    v_won      boolean[] := '{}';
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_game.id IS NULL OR v_game.practice THEN
        RETURN NULL;
    END IF;
    UPDATE game_players g SET facts = r.facts
    FROM hands h CROSS JOIN LATERAL jsonb_to_recordset(h.results) AS r (seat smallint, facts jsonb)
    WHERE h.table_id = NEW.id AND h.hand_no = v_game.hand_no AND g.game_id = v_game.id AND g.seat = r.seat
      AND r.facts IS NOT NULL;
    PERFORM count_stats(v_game);
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL ORDER BY player_id LOOP
        PERFORM tell_level(v_result);
        PERFORM count_achievements(v_game, v_result);
        v_players := v_players || v_result.player_id;
        v_points := v_points || v_result.game_points::bigint;
        v_won := v_won || v_result.won;
    END LOOP;
    IF v_game.rated AND v_position IS NOT NULL THEN
        PERFORM count_league_games(v_players, v_position, v_points, v_won, v_game.ended_at);
    END IF;
    RETURN NULL;
END $$;

-- A game has six players at most: what is looked up for them is looked up by key, however small the tables were when its plan was made.
ALTER FUNCTION do_settle_table(bigint, bigint, text, jsonb, text) SET enable_hashjoin = off;
ALTER FUNCTION do_settle_table(bigint, bigint, text, jsonb, text) SET enable_mergejoin = off;
