-- Leagues and seasons: what counts, and the tables people look at. A season's end is in 0034.

INSERT INTO settings (name, value, about) VALUES
    ('season_days',      '15', 'days of a league''s season'),
    ('season_games_min', '30', 'counted games of a season without which a player is relegated, and not ranked before others');

-- position orders leagues, as that of rooms: league k counts games of room k and higher, and who is promoted to it has that
-- room unlocked. *_rating: by rating; *_places: fixed numbers, of those with enough games. opens_players: closed until
-- so many players of the league below bear the title of this league's room; once open it stays open.
CREATE TABLE leagues (
    id              text     PRIMARY KEY REFERENCES rooms (id),
    position        smallint NOT NULL UNIQUE CHECK (position > 0),
    name            text     NOT NULL,
    promote_rating  integer,
    promote_places  integer,
    relegate_rating integer,
    relegate_places integer,
    opens_players   integer,
    open            boolean  NOT NULL
);

INSERT INTO leagues (id, position, name, promote_rating, promote_places, relegate_rating, relegate_places, opens_players, open) VALUES
    ('desert',   1, 'Desert',   6700, NULL, NULL, NULL, NULL, true),
    ('tundra',   2, 'Tundra',   7000, NULL, 6200, NULL, NULL, true),
    ('steppe',   3, 'Steppe',   7300, NULL, 6500, NULL, NULL, true),
    ('savannah', 4, 'Savannah', NULL, 20,   NULL, 20,   NULL, true),
    ('oasis',    5, 'Oasis',    NULL, 10,   NULL, 20,   NULL, true),
    ('forest',   6, 'Forest',   NULL, NULL, NULL, 10,   20,   false);

CREATE TABLE league_prizes (
    league_id text     NOT NULL REFERENCES leagues (id),
    place     smallint NOT NULL CHECK (place > 0),
    gold      bigint   NOT NULL CHECK (gold >= 0),
    PRIMARY KEY (league_id, place)
);

INSERT INTO league_prizes (league_id, place, gold)
SELECT p.id, n, CASE n WHEN 1 THEN p.first WHEN 2 THEN p.second WHEN 3 THEN p.third ELSE p.rest END
FROM (VALUES ('desert', 50, 30, 20, 10), ('tundra', 100, 60, 40, 20), ('steppe', 150, 90, 60, 30),
             ('savannah', 200, 120, 80, 40), ('oasis', 250, 150, 100, 50), ('forest', 300, 180, 120, 60))
     AS p (id, first, second, third, rest)
CROSS JOIN generate_series(1, 10) n;

INSERT INTO causes (cause, about) VALUES ('league', 'prizes of leagues'' seasons');
INSERT INTO accounts (kind, currency, cause) VALUES ('house', 'silver', 'league'), ('house', 'gold', 'league');

-- coming: its games are counted, but who plays in which league is not known until the one before has ended. opening: it is,
-- and the tables are being made. open: the one that runs. closing: its end is being worked on, step by step; it counts no
-- more games. step and what follows it say how far that has come.
CREATE TABLE seasons (
    no          integer PRIMARY KEY CHECK (no > 0),
    starts_at   timestamptz NOT NULL,
    ends_at     timestamptz NOT NULL CHECK (ends_at > starts_at),
    state       text NOT NULL DEFAULT 'coming' CHECK (state IN ('coming', 'opening', 'open', 'closing', 'ended')),
    step        text NOT NULL DEFAULT '' CHECK (step IN ('', 'rank', 'absent', 'prizes', 'finish')),
    at_position smallint,
    at_place    bigint NOT NULL DEFAULT 0,
    at_score    bigint,
    at_player   bigint NOT NULL DEFAULT 0,
    ranked_n    bigint -- players of the league at hand with enough games
);
CREATE UNIQUE INDEX seasons_running ON seasons ((true)) WHERE state IN ('opening', 'open', 'closing');

INSERT INTO seasons (no, starts_at, ends_at, state)
SELECT 1, s.at, s.at + make_interval(days => setting_int('season_days')::integer), 'open'
FROM (SELECT local_day(now())::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone') AS at) s;

CREATE TABLE league_members (
    player_id bigint   PRIMARY KEY REFERENCES players (id),
    position  smallint NOT NULL REFERENCES leagues (position),
    since     integer  NOT NULL -- the season from which on
);
CREATE INDEX league_members_position ON league_members (position, player_id);

-- What was played, room by room: the truth all tables of leagues are made from.
CREATE TABLE league_games (
    season_no     integer  NOT NULL REFERENCES seasons (no),
    player_id     bigint   NOT NULL REFERENCES players (id),
    room_position smallint NOT NULL,
    games         bigint   NOT NULL CHECK (games > 0),
    points        bigint   NOT NULL CHECK (points >= 0),
    wins          bigint   NOT NULL CHECK (wins >= 0),
    PRIMARY KEY (season_no, player_id, room_position)
);

-- The player's line in the table of his league in a season that runs or is over: games that counted there.
CREATE TABLE league_rows (
    season_no integer  NOT NULL REFERENCES seasons (no),
    player_id bigint   NOT NULL REFERENCES players (id),
    position  smallint NOT NULL,
    games     bigint   NOT NULL,
    points    bigint   NOT NULL,
    wins      bigint   NOT NULL,
    rating    integer  NOT NULL,
    PRIMARY KEY (season_no, player_id)
);

-- Makes sure that every season up to a moment is there. Seasons follow each other without a gap.
CREATE FUNCTION ensure_seasons(p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_last seasons;
BEGIN
    LOOP
        SELECT * INTO STRICT v_last FROM seasons ORDER BY no DESC LIMIT 1;
        EXIT WHEN v_last.ends_at > p_at;
        INSERT INTO seasons (no, starts_at, ends_at)
        VALUES (v_last.no + 1, v_last.ends_at,
                v_last.ends_at + make_interval(days => setting_int('season_days')::integer))
        ON CONFLICT (no) DO NOTHING;
    END LOOP;
END $$;

-- Who counts a game holds this lock shared until he has committed; who begins or ends a season takes it alone for a moment, so
-- that no game is counted for a season whose end has been looked at.
CREATE FUNCTION lock_seasons(p_alone boolean) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_alone THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd seasons', 0));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('rummyd seasons', 0));
    END IF;
END $$;

-- Order in a league: those with enough games first; rating, then games, then first places.
CREATE FUNCTION league_score(p_rating integer, p_games bigint, p_wins bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT CASE WHEN p_games >= setting_int('season_games_min') THEN 1::bigint << 60 ELSE 0 END
                   + (p_rating::bigint << 40) + (least(p_games, 1048575) << 20) + least(p_wins, 1048575));
END $$;

CREATE FUNCTION league_board(p_season integer, p_position integer) RETURNS integer
    LANGUAGE sql AS $$
    SELECT board_of('league', 'rummy51', p_season || ':' || p_position)
$$;

-- Makes the lines of players from their games. A line that is there is made anew.
CREATE FUNCTION make_league_rows(p_season integer, p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_members (player_id, position, since)
    SELECT DISTINCT g.player_id, (SELECT min(position) FROM leagues), p_season
    FROM league_games g WHERE g.season_no = p_season AND g.player_id = ANY (p_players)
    ON CONFLICT (player_id) DO NOTHING;
    WITH counted AS (
        SELECT g.player_id, m.position, sum(g.games)::bigint AS games, sum(g.points)::bigint AS points, sum(g.wins)::bigint AS wins
        FROM league_games g JOIN league_members m ON m.player_id = g.player_id AND g.room_position >= m.position
        WHERE g.season_no = p_season AND g.player_id = ANY (p_players)
        GROUP BY g.player_id, m.position
    ), rows AS (
        INSERT INTO league_rows AS r (season_no, player_id, position, games, points, wins, rating)
        SELECT p_season, player_id, position, games, points, wins, rating_of(points, games) FROM counted
        ON CONFLICT (season_no, player_id) DO UPDATE
        SET games = excluded.games, points = excluded.points, wins = excluded.wins, rating = excluded.rating
        RETURNING r.player_id, r.position, r.games, r.wins, r.rating
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT b.board, r.player_id, league_score(r.rating, r.games, r.wins)
    FROM rows r JOIN (SELECT l.position, league_board(p_season, l.position) AS board FROM leagues l
                      WHERE l.position IN (SELECT position FROM league_members WHERE player_id = ANY (p_players))) b
         ON b.position = r.position
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

-- Counts a rated game of a room for the season it belongs to. A game that ends while the end of its season is being
-- worked on counts for the next one. The caller holds the player's lock.
CREATE FUNCTION count_league_game(p_player bigint, p_room_position integer, p_points bigint, p_won boolean, p_at timestamptz)
    RETURNS void
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
    VALUES (v_season.no, p_player, p_room_position, 1, p_points, p_won::integer)
    ON CONFLICT (season_no, player_id, room_position) DO UPDATE
    SET games = g.games + 1, points = g.points + excluded.points, wins = g.wins + excluded.wins;
    IF v_season.state <> 'coming' THEN
        PERFORM make_league_rows(v_season.no, ARRAY[p_player]);
    END IF;
END $$;

-- A finished table: what its game counts for beyond points, levels and ratings.
CREATE FUNCTION table_counts() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_game     games;
    v_result   game_players;
    v_position integer := (SELECT position FROM rooms WHERE id = NEW.room_id AND variant = 'rummy51');
BEGIN
    SELECT * INTO v_game FROM games WHERE table_id = NEW.id ORDER BY hand_no DESC LIMIT 1;
    IF v_position IS NULL OR v_game.id IS NULL OR NOT v_game.rated OR v_game.practice THEN
        RETURN NULL;
    END IF;
    FOR v_result IN SELECT * FROM game_players WHERE game_id = v_game.id AND player_id IS NOT NULL ORDER BY player_id LOOP
        PERFORM count_league_game(v_result.player_id, v_position, v_result.game_points, v_result.won, v_game.ended_at);
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER table_counts AFTER UPDATE OF state ON tables
    FOR EACH ROW WHEN (NEW.state = 'finished' AND OLD.state <> 'finished') EXECUTE FUNCTION table_counts();
