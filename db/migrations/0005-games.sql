-- Finished games, their results and what is counted over them.

-- rated: enough people sat. practice: played without chips and points. record: the hand as text.
CREATE TABLE games (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id          bigint   NOT NULL REFERENCES tables (id),
    hand_no           integer  NOT NULL,
    room_id           text     NOT NULL REFERENCES rooms (id),
    variant           text     NOT NULL,
    params            text     NOT NULL,
    stake             bigint   NOT NULL,
    reward            bigint   NOT NULL,
    multiplier_tenths integer  NOT NULL,
    people_n          smallint NOT NULL,
    rated             boolean  NOT NULL,
    practice          boolean  NOT NULL,
    ending            text     NOT NULL CHECK (ending IN ('out', 'no_cards', 'stalled')),
    moves_n           integer  NOT NULL,
    server_seed       bytea    NOT NULL,
    commit            bytea    NOT NULL,
    started_at        timestamptz NOT NULL,
    ended_at          timestamptz NOT NULL DEFAULT now(),
    record            text     NOT NULL,
    UNIQUE (table_id, hand_no)
);

-- player_id NULL: a bot. points: score at the table. game_points: of the place, opening and cards thrown.
-- silver, gold: change of the purses by this game, the stake counted. level_gold: rewards of the levels gained.
CREATE TABLE game_players (
    game_id       bigint   NOT NULL REFERENCES games (id),
    seat          smallint NOT NULL,
    player_id     bigint   REFERENCES players (id),
    nickname      text     NOT NULL,
    avatar        text     NOT NULL,
    client_seed   bytea    NOT NULL,
    place         smallint NOT NULL CHECK (place > 0),
    points        integer  NOT NULL,
    opened        boolean  NOT NULL,
    cards_left    smallint NOT NULL CHECK (cards_left >= 0),
    won           boolean  NOT NULL,
    rummy         boolean  NOT NULL,
    left_early    boolean  NOT NULL,
    game_points   integer  NOT NULL DEFAULT 0,
    clover        bigint   NOT NULL DEFAULT 0,
    silver        bigint   NOT NULL DEFAULT 0,
    gold          bigint   NOT NULL DEFAULT 0,
    silver_lost   bigint   NOT NULL DEFAULT 0,
    level_gold    bigint   NOT NULL DEFAULT 0,
    level         integer,
    levels_gained integer  NOT NULL DEFAULT 0,
    title         text,
    rating        integer,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX game_players_player ON game_players (player_id, game_id) WHERE player_id IS NOT NULL;

-- period: 'all', or a calendar month 'YYYY-MM' by the zone of the settings. Only rated games count.
CREATE TABLE ratings (
    player_id bigint  NOT NULL REFERENCES players (id),
    variant   text    NOT NULL,
    period    text    NOT NULL CHECK (period = 'all' OR period ~ '^[0-9]{4}-[0-9]{2}$'),
    games     bigint  NOT NULL CHECK (games > 0),
    points    bigint  NOT NULL CHECK (points >= 0),
    wins      bigint  NOT NULL,
    rummies   bigint  NOT NULL,
    rating    integer NOT NULL,
    PRIMARY KEY (player_id, variant, period)
);
CREATE INDEX ratings_best ON ratings (variant, period, rating DESC, games DESC);

-- Games a player began alone with bots on a day of the settings' zone.
CREATE TABLE alone_games (
    player_id bigint  NOT NULL REFERENCES players (id),
    day       date    NOT NULL,
    games     integer NOT NULL CHECK (games >= 0),
    PRIMARY KEY (player_id, day)
);
