-- Live tables, their seats, tickets and the journal of moves.

-- A node is a running server; its epoch grows at each start. Whoever writes for a table bears
-- the epoch it started with, so a process that lost its name can write no more.
CREATE TABLE nodes (
    name     text PRIMARY KEY CHECK (char_length(name) BETWEEN 1 AND 64),
    epoch    bigint NOT NULL,
    alive_at timestamptz NOT NULL DEFAULT now()
);

-- Stake, reward and multiplier are pinned when the table is opened: a later change of the room
-- does not touch a running game. server_seed is secret until the hand is over.
CREATE TABLE tables (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room_id           text     NOT NULL REFERENCES rooms (id),
    variant           text     NOT NULL,
    params            text     NOT NULL,
    seats_n           smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    people_n          smallint NOT NULL DEFAULT 0 CHECK (people_n BETWEEN 0 AND seats_n), -- seats of people
    takes_n           integer  NOT NULL DEFAULT 0, -- how often a seat was ever taken: numbers the stakes
    stake             bigint   NOT NULL CHECK (stake >= 0),
    reward            bigint   NOT NULL CHECK (reward >= 0),
    multiplier_tenths integer  NOT NULL CHECK (multiplier_tenths >= 0),
    state             text     NOT NULL DEFAULT 'waiting'
                      CHECK (state IN ('waiting', 'playing', 'finished', 'cancelled')),
    practice          boolean  NOT NULL DEFAULT false, -- beyond the daily games alone with bots: no chips, no points
    alone_day         date,    -- the day whose count of games alone this one added to
    node              text     NOT NULL REFERENCES nodes (name),
    hand_no           integer  NOT NULL DEFAULT 1 CHECK (hand_no > 0),
    server_seed       bytea    NOT NULL CHECK (octet_length(server_seed) = 32),
    commit            bytea    NOT NULL CHECK (octet_length(commit) = 32),
    created_at        timestamptz NOT NULL DEFAULT now(),
    fill_at           timestamptz NOT NULL,
    started_at        timestamptz,
    ended_at          timestamptz
);
CREATE INDEX tables_waiting ON tables (room_id, created_at, id) WHERE state = 'waiting';
CREATE INDEX tables_live ON tables (node) WHERE state IN ('waiting', 'playing');

-- player_id NULL: a bot. stake_silver and stake_gold are what the hold of this seat was made of.
-- live: its table waits or plays; keeps what asks for a player's tables from looking through his past.
CREATE TABLE seats (
    table_id     bigint   NOT NULL REFERENCES tables (id),
    seat         smallint NOT NULL CHECK (seat BETWEEN 0 AND 5),
    player_id    bigint   REFERENCES players (id),
    bot_level    smallint CHECK (bot_level BETWEEN 1 AND 3),
    nickname     text     NOT NULL,
    avatar       text     NOT NULL DEFAULT '',
    client_seed  bytea    NOT NULL DEFAULT '' CHECK (octet_length(client_seed) = 0 OR octet_length(client_seed) BETWEEN 16 AND 32),
    stake_silver bigint   NOT NULL DEFAULT 0 CHECK (stake_silver >= 0),
    stake_gold   bigint   NOT NULL DEFAULT 0 CHECK (stake_gold >= 0),
    take         integer  NOT NULL DEFAULT 0,
    taken_at     timestamptz NOT NULL DEFAULT now(),
    live         boolean  NOT NULL DEFAULT true,
    PRIMARY KEY (table_id, seat),
    UNIQUE (table_id, player_id),
    CHECK ((player_id IS NULL) = (bot_level IS NOT NULL))
);
CREATE INDEX seats_live ON seats (player_id) WHERE live AND player_id IS NOT NULL;

-- Single use; bound to player, table and seat.
CREATE TABLE tickets (
    id         uuid     PRIMARY KEY,
    table_id   bigint   NOT NULL REFERENCES tables (id),
    player_id  bigint   NOT NULL REFERENCES players (id),
    seat       smallint NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX tickets_table ON tickets (table_id);
CREATE INDEX tickets_expires ON tickets (expires_at);

-- Moves of running hands; v is the game's version after the move. command: the client's id of the command
-- that made it, so that one sent again after a crash gets its first answer; '' for bots and the clock.
-- The rows of a hand are folded into its record by the settling transaction, so this table stays as
-- small as what is being played. No foreign key: it would cost a look-up for each move; the epoch guards who writes.
CREATE TABLE journal (
    table_id bigint   NOT NULL,
    hand_no  integer  NOT NULL,
    v        integer  NOT NULL,
    epoch    bigint   NOT NULL,
    seat     smallint NOT NULL,
    move     bytea    NOT NULL,
    hash     bigint   NOT NULL,
    command  text     NOT NULL DEFAULT '' CHECK (char_length(command) <= 36),
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (table_id, v)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, -- rows come and go all the time
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);
