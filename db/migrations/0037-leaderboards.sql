-- Leaderboards: rating, Clover points, wins and Rummies, of all time and of each month, for each variant; prizes of a month.
-- Only rated games count. The boards follow the rows of `ratings`, which can be made again from the games alone.

ALTER TABLE ratings ADD COLUMN clover bigint NOT NULL DEFAULT 0 CHECK (clover >= 0);
UPDATE ratings r SET clover = s.clover
FROM (SELECT p.player_id, g.variant, x.period, sum(p.clover) AS clover
      FROM game_players p JOIN games g ON g.id = p.game_id
      CROSS JOIN LATERAL (VALUES ('all'), (to_char(local_day(g.ended_at), 'YYYY-MM'))) AS x (period)
      WHERE g.rated AND p.player_id IS NOT NULL GROUP BY 1, 2, 3) s
WHERE (r.player_id, r.variant, r.period) = (s.player_id, s.variant, s.period);
DROP INDEX ratings_best; -- the boards do its work

-- Points of the variants that have none of their own: place p of n gives floor(most - span * (p - 1) / (n - 1)).
INSERT INTO settings (name, value, about) VALUES
    ('variant_points_most', '80', 'rating points of the first place in the other variants'),
    ('variant_points_span', '45', 'so many points fewer gives the last place');

CREATE FUNCTION variant_points(p_place integer, p_seats integer) RETURNS integer
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT floor(setting_int('variant_points_most')
                         - setting_int('variant_points_span') * (p_place - 1)::numeric / greatest(1, p_seats - 1))::integer);
END $$;

-- Whether a variant has points for places of its own, as rummy51 has; the others give variant_points and nothing else.
CREATE FUNCTION has_own_points(p_variant text) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT 1 FROM place_points WHERE variant = p_variant);
END $$;

-- As in 0009, with the points of the other variants.
CREATE OR REPLACE FUNCTION settle_points(p_game games, p_result game_players) RETURNS void
    LANGUAGE plpgsql AS $$
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
        PERFORM add_rating(p_result.player_id, p_game.variant, p_game.ended_at, v_points, p_result.won, p_result.rummy);
        UPDATE ratings SET clover = clover + v_clover
        WHERE player_id = p_result.player_id AND variant = p_game.variant AND v_clover > 0
          AND period IN ('all', to_char(local_day(p_game.ended_at), 'YYYY-MM'));
    END IF;
    UPDATE game_players g
    SET game_points = v_points, clover = v_clover, level_gold = v_gold, level = p.level,
        levels_gained = p.level - v_before, title = l.title,
        rating = (SELECT r.rating FROM ratings r
                  WHERE r.player_id = p.id AND r.variant = p_game.variant AND r.period = 'all')
    FROM players p JOIN levels l ON l.level = p.level
    WHERE p.id = p_result.player_id AND g.game_id = p_result.game_id AND g.seat = p_result.seat;
END $$;

-- Ratings: more games first among equal ones. The others: the older account.
CREATE FUNCTION board_score(p_kind text, r ratings) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT CASE p_kind WHEN 'rating' THEN (r.rating::bigint << 30) + least(r.games, 1073741823)
                       WHEN 'clover' THEN r.clover WHEN 'wins' THEN r.wins ELSE r.rummies END
$$;

CREATE FUNCTION board_value(p_kind text, p_score bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_kind WHEN 'rating' THEN p_score >> 30 ELSE p_score END
$$;

CREATE FUNCTION ratings_rank() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_kind text;
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['rating', 'clover', 'wins', 'rummies'] LOOP
        IF (CASE v_kind WHEN 'rating' THEN NEW.games >= setting_int('rating_games_min') ELSE board_score(v_kind, NEW) > 0 END)
           AND (TG_OP = 'INSERT' OR board_score(v_kind, NEW) <> board_score(v_kind, OLD)) THEN
            PERFORM board_set(board_of(v_kind, NEW.variant, NEW.period), NEW.player_id, board_score(v_kind, NEW));
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER ratings_rank AFTER INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION ratings_rank();
INSERT INTO board_entries (board_id, player_id, score)
SELECT board_of(k.kind, r.variant, r.period), r.player_id, board_score(k.kind, r)
FROM ratings r CROSS JOIN unnest(ARRAY['rating', 'clover', 'wins', 'rummies']) AS k (kind)
WHERE CASE k.kind WHEN 'rating' THEN r.games >= setting_int('rating_games_min') ELSE board_score(k.kind, r) > 0 END;

-- --- friends ------------------------------------------------------------------------------------------------

-- from_id has asked to_id; friends when accepted_at is set (one row for both).
CREATE TABLE friends (
    from_id     bigint NOT NULL REFERENCES players (id),
    to_id       bigint NOT NULL REFERENCES players (id),
    asked_at    timestamptz NOT NULL DEFAULT now(),
    accepted_at timestamptz,
    PRIMARY KEY (from_id, to_id),
    CHECK (from_id <> to_id)
);
CREATE INDEX friends_to ON friends (to_id);
CREATE UNIQUE INDEX friends_pair ON friends (least(from_id, to_id), greatest(from_id, to_id));

INSERT INTO settings (name, value, about) VALUES ('friends_max', '500', 'friends and open requests of one player');

CREATE FUNCTION friends_of(p_player bigint) RETURNS SETOF bigint
    LANGUAGE sql STABLE AS $$
    SELECT to_id FROM friends WHERE from_id = p_player AND accepted_at IS NOT NULL
    UNION ALL SELECT from_id FROM friends WHERE to_id = p_player AND accepted_at IS NOT NULL
$$;

-- Asks for friendship, or accepts what the other has asked. Safe to repeat. code: ok, player_unknown, friend_self, too_many_friends.
CREATE FUNCTION do_befriend(p_player bigint, p_other bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_state text := 'asked';
BEGIN
    PERFORM lock_players(ARRAY[p_player, p_other]);
    code := CASE WHEN p_player = p_other THEN 'friend_self'
                 WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_other AND deleted_at IS NULL) THEN 'player_unknown' END;
    IF code IS NULL AND NOT EXISTS (SELECT 1 FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id)) THEN
        IF (SELECT count(*) FROM friends WHERE p_player IN (from_id, to_id)) >= setting_int('friends_max') THEN
            code := 'too_many_friends';
        ELSE
            INSERT INTO friends (from_id, to_id) VALUES (p_player, p_other);
            PERFORM notify_player(p_other, 'friend', jsonb_build_object('player_id', p_player::text, 'state', 'asks',
                                  'nickname', (SELECT nickname FROM players WHERE id = p_player)));
        END IF;
    ELSIF code IS NULL THEN
        UPDATE friends SET accepted_at = now() WHERE from_id = p_other AND to_id = p_player AND accepted_at IS NULL;
        IF FOUND THEN
            PERFORM notify_player(p_other, 'friend', jsonb_build_object('player_id', p_player::text, 'state', 'accepted',
                                  'nickname', (SELECT nickname FROM players WHERE id = p_player)));
        END IF;
        IF p_other IN (SELECT friends_of(p_player)) THEN
            v_state := 'friends';
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok'), jsonb_build_object('state', v_state)::text;
END $$;

-- Ends a friendship, takes a request back, or declines one. code: ok.
CREATE FUNCTION do_unfriend(p_player bigint, p_other bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM friends WHERE p_player IN (from_id, to_id) AND p_other IN (from_id, to_id);
    RETURN QUERY SELECT 'ok';
END $$;

CREATE FUNCTION q_friends(p_player bigint) RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
                   'state', CASE WHEN f.accepted_at IS NOT NULL THEN 'friends' WHEN f.from_id = p_player THEN 'asked' ELSE 'asks' END)
                   ORDER BY f.accepted_at IS NULL DESC, p.nickname, p.id)
        FROM friends f JOIN players p ON p.id = CASE WHEN f.from_id = p_player THEN f.to_id ELSE f.from_id END
        JOIN levels l ON l.level = p.level
        WHERE p_player IN (f.from_id, f.to_id)), '[]'))::text
$$;

-- --- what people read -----------------------------------------------------------------------------------------

-- The variants there are boards of.
CREATE TABLE ranked_variants (variant text PRIMARY KEY);
INSERT INTO ranked_variants VALUES ('rummy51'), ('rummy40'), ('straight'), ('rami'), ('treff'), ('points'), ('pool101'),
                                   ('pool201'), ('deals2'), ('deals3');

-- Why there is no such board, or NULL. A month is named 'YYYY-MM'; 'month' is the one that runs.
CREATE FUNCTION board_refusal(p_variant text, p_kind text, p_period text) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_kind NOT IN ('rating', 'clover', 'wins', 'rummies')
                     OR p_variant NOT IN (SELECT variant FROM ranked_variants) THEN 'no_such_board'
                WHEN p_period NOT IN ('all', 'month') AND p_period !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$' THEN 'no_such_period' END
$$;

CREATE FUNCTION board_named(p_variant text, p_kind text, p_period text, p_at timestamptz) RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT id FROM boards WHERE variant = p_variant AND kind = p_kind
    AND period = CASE p_period WHEN 'month' THEN to_char(local_day(p_at), 'YYYY-MM') ELSE p_period END
$$;

-- Lines of a board with their places, for the entries given.
CREATE FUNCTION board_line(p_reader bigint, p_kind text, p_board integer, p_player bigint, p_score bigint, p_place bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('place', p_place, 'player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
                              'value', board_value(p_kind, p_score), 'games', r.games, 'own', p.id = p_reader)::text
    FROM players p JOIN levels l ON l.level = p.level CROSS JOIN boards b
    LEFT JOIN ratings r ON r.player_id = p.id AND r.variant = b.variant AND r.period = b.period
    WHERE p.id = p_player AND b.id = p_board
$$;

-- A page behind (score, player); the first row is the head. code: ok, no_such_board, no_such_period.
CREATE FUNCTION q_board(p_reader bigint, p_variant text, p_kind text, p_period text, p_score bigint, p_after bigint,
                        p_place bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board integer := board_named(p_variant, p_kind, p_period, now());
BEGIN
    RETURN QUERY SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object(
        'variant', p_variant, 'board', p_kind, 'period', coalesce((SELECT period FROM boards WHERE id = v_board), p_period))::text,
        NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', board_line(p_reader, p_kind, v_board, e.player_id, e.score, e.place), e.score, e.player_id, e.place
    FROM (SELECT o.player_id, o.score,
                 coalesce(p_place, 0) + row_number() OVER (ORDER BY o.score DESC, (-o.player_id) DESC) AS place
          FROM board_entries o
          WHERE o.board_id = v_board AND (p_score IS NULL OR (o.score, -o.player_id) < (p_score, -p_after))
          ORDER BY o.score DESC, (-o.player_id) DESC LIMIT p_limit) e
    ORDER BY e.place;
END $$;

INSERT INTO settings (name, value, about) VALUES ('board_around', '5', 'players shown before and behind one on a leaderboard');

-- The reader with those just before and behind him; nobody when he is not on the board. code: as q_board.
CREATE FUNCTION q_board_around(p_reader bigint, p_variant text, p_kind text, p_period text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board integer := board_named(p_variant, p_kind, p_period, now());
    v_score bigint := (SELECT score FROM board_entries WHERE board_id = v_board AND player_id = p_reader);
    v_place bigint := CASE WHEN v_score IS NOT NULL THEN board_place(v_board, v_score, p_reader) END;
    v_n     bigint := setting_int('board_around');
BEGIN
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object('place', v_place, 'items', coalesce((
        SELECT jsonb_agg(board_line(p_reader, p_kind, v_board, n.player_id, n.score, n.place)::jsonb ORDER BY n.place)
        FROM (SELECT a.player_id, a.score, v_place - row_number() OVER (ORDER BY a.score, (-a.player_id)) AS place
              FROM (SELECT * FROM board_entries o WHERE o.board_id = v_board AND (o.score, -o.player_id) > (v_score, -p_reader)
                    ORDER BY o.score, (-o.player_id) LIMIT v_n) a
              UNION ALL
              SELECT b.player_id, b.score, v_place - 1 + row_number() OVER (ORDER BY b.score DESC, (-b.player_id) DESC)
              FROM (SELECT * FROM board_entries o WHERE o.board_id = v_board AND (o.score, -o.player_id) <= (v_score, -p_reader)
                    ORDER BY o.score DESC, (-o.player_id) DESC LIMIT v_n + 1) b) n), '[]'))::text;
END $$;

-- The reader and his friends, with their places among all. code: as q_board.
CREATE FUNCTION q_board_friends(p_reader bigint, p_variant text, p_kind text, p_period text) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board integer := board_named(p_variant, p_kind, p_period, now());
BEGIN
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), jsonb_build_object('items', coalesce((
        SELECT jsonb_agg(board_line(p_reader, p_kind, v_board, e.player_id, e.score, board_place(v_board, e.score, e.player_id))::jsonb
                         ORDER BY e.score DESC, e.player_id)
        FROM board_entries e
        WHERE e.board_id = v_board AND e.player_id IN (SELECT friends_of(p_reader) UNION SELECT p_reader)), '[]'))::text;
END $$;

-- --- prizes of a month -------------------------------------------------------------------------------------------

INSERT INTO causes (cause, about) VALUES ('month', 'prizes of monthly leaderboards');
INSERT INTO accounts (kind, currency, cause) VALUES ('house', 'silver', 'month'), ('house', 'gold', 'month');

CREATE TABLE month_prizes (
    variant text     NOT NULL,
    kind    text     NOT NULL,
    place   smallint NOT NULL CHECK (place > 0),
    gold    bigint   NOT NULL CHECK (gold > 0),
    PRIMARY KEY (variant, kind, place)
);
INSERT INTO month_prizes (variant, kind, place, gold)
SELECT 'rummy51', k.kind, p.place, CASE k.kind WHEN 'rating' THEN p.gold ELSE p.gold / 2 END
FROM unnest(ARRAY[200, 150, 100, 80, 60, 50, 40, 30, 20, 10]) WITH ORDINALITY AS p (gold, place)
CROSS JOIN unnest(ARRAY['rating', 'clover', 'wins', 'rummies']) AS k (kind);

CREATE TABLE month_closings (
    period    text PRIMARY KEY,
    closed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE month_winners (
    period    text     NOT NULL REFERENCES month_closings (period),
    variant   text     NOT NULL,
    kind      text     NOT NULL,
    place     smallint NOT NULL,
    player_id bigint   NOT NULL REFERENCES players (id),
    value     bigint   NOT NULL,
    gold      bigint   NOT NULL,
    PRIMARY KEY (period, variant, kind, place)
);

INSERT INTO jobs (job, about, every_s, grace_s) VALUES
    ('monthly_prizes', 'pays the prizes of months that are over', 86400, 86400);

-- One month a step, the oldest first: `month:<month>:<variant>:<board>:<place>`.
CREATE FUNCTION monthly_prizes_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_period text;
    v_row    record;
    v_n      bigint := 0;
    v_gold   bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd months', 0));
    PERFORM lock_seasons(true); -- games that began to be counted before the month ended
    v_period := (SELECT min(period) FROM boards WHERE period ~ '^[0-9]{4}-[0-9]{2}$'
                 AND period < to_char(local_day(p_at), 'YYYY-MM') AND kind <> 'league'
                 AND period NOT IN (SELECT period FROM month_closings));
    IF v_period IS NULL THEN
        RETURN ROW(false, '{"months": 0}')::job_step;
    END IF;
    INSERT INTO month_closings (period) VALUES (v_period);
    INSERT INTO month_winners (period, variant, kind, place, player_id, value, gold)
    SELECT v_period, z.variant, z.kind, z.place, t.player_id, board_value(z.kind, t.score), z.gold
    FROM boards b
    CROSS JOIN LATERAL (SELECT e.player_id, e.score, row_number() OVER (ORDER BY e.score DESC, (-e.player_id) DESC) AS place
                        FROM (SELECT * FROM board_entries o WHERE o.board_id = b.id
                              ORDER BY o.score DESC, (-o.player_id) DESC LIMIT (SELECT max(place) FROM month_prizes)) e) t
    JOIN month_prizes z ON z.variant = b.variant AND z.kind = b.kind AND z.place = t.place
    WHERE b.period = v_period;
    PERFORM lock_players(ARRAY(SELECT player_id FROM month_winners WHERE period = v_period));
    FOR v_row IN SELECT * FROM month_winners WHERE period = v_period ORDER BY player_id, variant, kind LOOP
        PERFORM do_credit(v_row.player_id, 'gold', v_row.gold, 'month',
                          'month:' || v_period || ':' || v_row.variant || ':' || v_row.kind || ':' || v_row.place, '');
        PERFORM notify_player(v_row.player_id, 'month_prize', jsonb_build_object('month', v_period, 'variant', v_row.variant,
                              'board', v_row.kind, 'place', v_row.place, 'gold', v_row.gold));
        v_n := v_n + 1;
        v_gold := v_gold + v_row.gold;
    END LOOP;
    RETURN ROW(true, jsonb_build_object('months', 1, 'prizes', v_n, 'gold', v_gold))::job_step;
END $$;

-- --- the proof of the ratings ---------------------------------------------------------------------------------------

-- Ratings, boards, Clover points and levels made again from the games alone: no rows, no difference.
CREATE FUNCTION q_ratings_check() RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    WITH made AS (
        SELECT p.player_id, g.variant, x.period, count(*) AS games, sum(p.game_points)::bigint AS points,
               count(*) FILTER (WHERE p.won) AS wins, count(*) FILTER (WHERE p.rummy) AS rummies, sum(p.clover)::bigint AS clover
        FROM game_players p JOIN games g ON g.id = p.game_id
        CROSS JOIN LATERAL (VALUES ('all'), (to_char(local_day(g.ended_at), 'YYYY-MM'))) AS x (period)
        WHERE g.rated AND p.player_id IS NOT NULL
        GROUP BY 1, 2, 3
    ), clover AS (
        SELECT player_id, sum(clover)::bigint AS clover FROM game_players WHERE player_id IS NOT NULL GROUP BY 1
    ), climbed AS (
        SELECT level, coalesce(sum(points_needed) OVER (ORDER BY level ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS from_points
        FROM levels
    ), ranked AS (
        SELECT b.id AS board_id, r.player_id, board_score(b.kind, r) AS score
        FROM ratings r JOIN boards b ON b.variant = r.variant AND b.period = r.period AND b.kind <> 'league'
        WHERE CASE b.kind WHEN 'rating' THEN r.games >= setting_int('rating_games_min') ELSE board_score(b.kind, r) > 0 END
    )
    SELECT 'rating_differs', 'player ' || coalesce(r.player_id, m.player_id) || ' ' || coalesce(r.variant, m.variant) || ' ' || coalesce(r.period, m.period),
           'stored ' || coalesce(r.points || ' in ' || r.games, 'nothing') || ', games give ' || coalesce(m.points || ' in ' || m.games, 'nothing')
    FROM made m FULL JOIN ratings r ON (r.player_id, r.variant, r.period) = (m.player_id, m.variant, m.period)
    WHERE (r.games, r.points, r.wins, r.rummies, r.clover, r.rating)
          IS DISTINCT FROM (m.games, m.points, m.wins, m.rummies, m.clover, rating_of(m.points, m.games))
    UNION ALL
    SELECT 'clover_differs', 'player ' || p.id, 'stored ' || p.clover_points || ', games give ' || coalesce(c.clover, 0)
    FROM players p LEFT JOIN clover c ON c.player_id = p.id WHERE p.clover_points <> coalesce(c.clover, 0)
    UNION ALL
    SELECT 'level_differs', 'player ' || p.id, 'stored ' || p.level || ' and ' || p.level_points || ', points give '
           || l.level || ' and ' || p.clover_points - l.from_points
    FROM players p CROSS JOIN LATERAL (SELECT * FROM climbed c WHERE c.from_points <= p.clover_points
                                       ORDER BY c.level DESC LIMIT 1) l
    WHERE (p.level, p.level_points) <> (l.level, p.clover_points - l.from_points)
    UNION ALL
    SELECT 'board_differs', 'board ' || coalesce(e.board_id, k.board_id) || ' player ' || coalesce(e.player_id, k.player_id),
           'stored ' || coalesce(e.score::text, 'nothing') || ', ratings give ' || coalesce(k.score::text, 'nothing')
    FROM ranked k FULL JOIN (SELECT o.* FROM board_entries o JOIN boards b ON b.id = o.board_id WHERE b.kind <> 'league') e
         ON (e.board_id, e.player_id) = (k.board_id, k.player_id)
    WHERE e.score IS DISTINCT FROM k.score
    ORDER BY 1, 2
$$;
