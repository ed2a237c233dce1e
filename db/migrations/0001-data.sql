-- What an operator tunes without a build: settings, titles, levels, rooms.
-- No function of the ledger or of the settlement bears a number of its own; it reads these rows.

CREATE TABLE settings (
    name  text PRIMARY KEY,
    value text NOT NULL,
    about text NOT NULL
);

INSERT INTO settings (name, value, about) VALUES
    ('zone',                 'Etc/GMT-2', 'time zone whose days and months count (UTC+2, fixed)'),
    ('welcome_silver',       '100',   'silver chips of a new account'),
    ('welcome_gold',         '0',     'gold chips of a new account'),
    ('opened_points',        '5',     'points of a game for having opened'),
    ('thrown_points',        '15',    'points of a game for having thrown every card; one less for each card left'),
    ('game_points_max',      '100',   'most points of one game'),
    ('rummy_clover_points',  '10',    'added before the multiplier when a game was won in one turn'),
    ('rating_scale',         '10000', 'rating of a player who always wins the most points'),
    ('rating_games_min',     '20',    'games from which on a rating is listed'),
    ('rated_people_min',     '2',     'people a game needs to count for ratings'),
    ('alone_games_a_day',    '20',    'games a day a player may play for chips against bots alone; more are practice'),
    ('tables_per_player_max', '4',    'live tables one player may sit at'),
    ('seat_tries_max',       '4',     'looks for a table with a free seat when all are being sat down at'),
    ('seat_retry_ms',        '2',     'pause between these looks'),
    ('ticket_ttl_ms',        '60000', 'life of a ticket to a table'),
    ('node_dead_ms',         '15000', 'a node silent for so long is no longer offered new seats'),
    ('refresh_ttl_s',        '2592000', 'life of a refresh token'),
    ('login_window_s',       '900',   'failed log-ins are remembered so long'),
    ('login_failures_account_max', '5',  'failed log-ins of one account before it is locked for a while'),
    ('login_failures_address_max', '20', 'failed log-ins from one address before it is locked for a while'),
    ('idempotency_ttl_s',    '86400', 'answers to idempotency keys are kept so long');

-- STABLE: a statement sees one value. Raises when the row is missing or no number.
CREATE FUNCTION setting_int(p_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_value bigint;
BEGIN
    SELECT value::bigint INTO STRICT v_value FROM settings WHERE name = p_name;
    RETURN v_value;
EXCEPTION WHEN no_data_found THEN
    RAISE EXCEPTION 'setting % is missing', p_name;
END $$;

-- The day by the zone of the settings.
CREATE FUNCTION local_day(p_at timestamptz) RETURNS date
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'))::date);
END $$;

CREATE TABLE titles (
    name       text PRIMARY KEY,
    level_from integer NOT NULL UNIQUE CHECK (level_from > 0)
);

INSERT INTO titles (name, level_from) VALUES
    ('Ant', 1), ('Butterfly', 3), ('Frog', 6), ('Turtle', 9), ('Snake', 12), ('Fox', 15), ('Wolf', 18),
    ('Monkey', 21), ('Alligator', 24), ('Eagle', 27), ('Bear', 30), ('Rhino', 34), ('Elephant', 38),
    ('Leopard', 42), ('Lion', 46);

-- points_needed: Clover points that lead from this level to the next; NULL on the last one.
-- reward_gold: paid when this level is reached. silver_cap: silver a player of this level may own.
CREATE TABLE levels (
    level         integer PRIMARY KEY CHECK (level > 0),
    title         text    NOT NULL REFERENCES titles (name),
    points_needed bigint  CHECK (points_needed > 0),
    reward_gold   bigint  NOT NULL CHECK (reward_gold >= 0),
    silver_cap    bigint  NOT NULL CHECK (silver_cap >= 0)
);

INSERT INTO levels (level, title, points_needed, reward_gold, silver_cap) VALUES
    (1,  'Ant',       100,    0,   100),
    (2,  'Ant',       150,    10,  108),
    (3,  'Butterfly', 200,    10,  112),
    (4,  'Butterfly', 300,    10,  116),
    (5,  'Butterfly', 400,    10,  120),
    (6,  'Frog',      500,    15,  124),
    (7,  'Frog',      600,    15,  128),
    (8,  'Frog',      700,    15,  132),
    (9,  'Turtle',    800,    20,  136),
    (10, 'Turtle',    900,    20,  140),
    (11, 'Turtle',    1000,   20,  144),
    (12, 'Snake',     1400,   25,  148),
    (13, 'Snake',     1800,   25,  152),
    (14, 'Snake',     2200,   25,  156),
    (15, 'Fox',       2600,   30,  160),
    (16, 'Fox',       3000,   30,  164),
    (17, 'Fox',       3500,   30,  168),
    (18, 'Wolf',      4000,   35,  172),
    (19, 'Wolf',      4500,   35,  176),
    (20, 'Wolf',      5000,   35,  180),
    (21, 'Monkey',    5500,   40,  184),
    (22, 'Monkey',    6000,   40,  188),
    (23, 'Monkey',    7000,   40,  192),
    (24, 'Alligator', 8000,   45,  196),
    (25, 'Alligator', 9000,   45,  200),
    (26, 'Alligator', 10000,  45,  204),
    (27, 'Eagle',     12000,  50,  208),
    (28, 'Eagle',     14000,  50,  212),
    (29, 'Eagle',     16000,  50,  216),
    (30, 'Bear',      18000,  55,  220),
    (31, 'Bear',      20000,  55,  224),
    (32, 'Bear',      22000,  55,  228),
    (33, 'Bear',      24000,  55,  232),
    (34, 'Rhino',     27000,  60,  236),
    (35, 'Rhino',     30000,  60,  240),
    (36, 'Rhino',     33000,  65,  244),
    (37, 'Rhino',     36000,  65,  248),
    (38, 'Elephant',  40000,  70,  252),
    (39, 'Elephant',  44000,  70,  256),
    (40, 'Elephant',  48000,  75,  260),
    (41, 'Elephant',  52000,  75,  264),
    (42, 'Leopard',   65000,  80,  268),
    (43, 'Leopard',   70000,  80,  272),
    (44, 'Leopard',   75000,  85,  276),
    (45, 'Leopard',   80000,  85,  280),
    (46, 'Lion',      85000,  90,  284),
    (47, 'Lion',      90000,  90,  288),
    (48, 'Lion',      95000,  95,  292),
    (49, 'Lion',      100000, 95,  296),
    (50, 'Lion',      NULL,   100, 300);

-- Points of a place, before the bonuses for opening and for cards thrown.
CREATE TABLE place_points (
    variant text     NOT NULL,
    place   smallint NOT NULL CHECK (place > 0),
    points  integer  NOT NULL CHECK (points >= 0),
    PRIMARY KEY (variant, place)
);

INSERT INTO place_points (variant, place, points) VALUES
    ('rummy51', 1, 80), ('rummy51', 2, 65), ('rummy51', 3, 50), ('rummy51', 4, 35);

-- A room is where public tables of one stake are opened. position orders them.
CREATE TABLE rooms (
    id                text     PRIMARY KEY,
    position          smallint NOT NULL UNIQUE,
    name              text     NOT NULL,
    variant           text     NOT NULL,
    params            text     NOT NULL DEFAULT '', -- options that differ from the variant's row
    seats_n           smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    stake             bigint   NOT NULL CHECK (stake >= 0),
    reward            bigint   NOT NULL CHECK (reward >= 0),
    multiplier_tenths integer  NOT NULL CHECK (multiplier_tenths >= 0),
    title             text     NOT NULL REFERENCES titles (name), -- unlocks the room
    bots              boolean  NOT NULL, -- empty seats may be filled with bots
    bot_level         smallint NOT NULL CHECK (bot_level BETWEEN 1 AND 3),
    fill_wait_ms      integer  NOT NULL CHECK (fill_wait_ms >= 0), -- a table waits so long for people
    open              boolean  NOT NULL
);

INSERT INTO rooms (id, position, name, variant, seats_n, stake, reward, multiplier_tenths, title, bots, bot_level,
                   fill_wait_ms, open) VALUES
    ('desert',   1, 'Desert',   'rummy51', 4, 10, 10, 10, 'Ant',      true,  1, 5000,  true),
    ('tundra',   2, 'Tundra',   'rummy51', 4, 20, 25, 22, 'Frog',     true,  2, 8000,  true),
    ('steppe',   3, 'Steppe',   'rummy51', 4, 30, 40, 34, 'Snake',    false, 3, 15000, true),
    ('savannah', 4, 'Savannah', 'rummy51', 4, 40, 55, 46, 'Wolf',     false, 3, 15000, true),
    ('oasis',    5, 'Oasis',    'rummy51', 4, 50, 75, 58, 'Eagle',    false, 3, 15000, true),
    ('forest',   6, 'Forest',   'rummy51', 4, 60, 90, 70, 'Elephant', false, 3, 15000, true);
