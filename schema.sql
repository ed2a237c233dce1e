-- Tables, types, sequences, indexes, constraints, and triggers of rummyd. This file is the source, maintained
-- by hand.
--
-- `rummyd migrate` applies this file to an empty database, together with the functions of db/functions/ and
-- the rows of db/data/. Existing databases are upgraded by db/migrations/ (docs/development.md). The part
-- below "Triggers" is applied after the functions, because it refers to them.
--
-- Times are timestamptz. Ids are numbers that grow with time. `_n` is a count, `_ms` and `_s` are durations,
-- `_minor` is money in the smallest unit of its currency. Chips are whole numbers.

-- ==== Origin of this database =============================================================================

-- Migrations that were applied, or that the schema.sql of this database already contained.
CREATE TABLE schema_migrations (
    version    integer     PRIMARY KEY,
    name       text        NOT NULL,
    checksum   bytea       NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- One row. base: hash of the schema.sql that this database matches; '' while migrations are being applied.
-- code: hash of all functions and data files together; '' while the database is being created. functions:
-- signatures of the functions that they created, so that `migrate` never drops anyone else's function.
CREATE TABLE schema_state (
    only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    base       bytea       NOT NULL DEFAULT '',
    code       bytea       NOT NULL DEFAULT '',
    functions  text[]      NOT NULL DEFAULT '{}',
    applied_at timestamptz NOT NULL DEFAULT now(),
    names_by   text        -- version of all keys in name_keys (api_name_version); NULL: mixed
);

-- ==== Settings =============================================================================================

-- Settings that an operator changes without a build. Functions contain no such constants; they read these
-- rows.
CREATE TABLE settings (
    name  text PRIMARY KEY,
    value text NOT NULL,
    about text NOT NULL
);

-- ==== Players ==============================================================================================

-- Ranks that group the levels.
CREATE TABLE titles (
    name       text    PRIMARY KEY,
    level_from integer NOT NULL UNIQUE CHECK (level_from > 0)
);

-- points_needed: Clover points from this level to the next; NULL on the last level. reward_gold: paid when a
-- player reaches this level. silver_cap: most silver a player of this level can own.
CREATE TABLE levels (
    level         integer PRIMARY KEY CHECK (level > 0),
    title         text    NOT NULL REFERENCES titles (name),
    points_needed bigint  CHECK (points_needed > 0),
    reward_gold   bigint  NOT NULL CHECK (reward_gold >= 0),
    silver_cap    bigint  NOT NULL CHECK (silver_cap >= 0)
);

-- Every account that was ever created. Rows are never deleted; deleted_at hides a player.
CREATE TABLE players (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind             text        NOT NULL CHECK (kind IN ('guest', 'registered', 'bot')),
    role             text        NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'admin')),
    nickname         text        NOT NULL CHECK (octet_length(nickname) BETWEEN 1 AND 120),
    avatar           text        NOT NULL DEFAULT '' CHECK (char_length(avatar) <= 32),
    level            integer     NOT NULL DEFAULT 1 REFERENCES levels (level),
    level_points     bigint      NOT NULL DEFAULT 0 CHECK (level_points >= 0), -- towards the next level
    clover_points    bigint      NOT NULL DEFAULT 0 CHECK (clover_points >= 0), -- total ever won
    banned_at        timestamptz,
    deleted_at       timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    chat_muted_until timestamptz, -- no chat before this time; set by an operator
    email_verified_at timestamptz, -- from an account whose address was confirmed by a link
    language         text        NOT NULL DEFAULT 'en' -- of emails
                     CHECK (language ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?$'),
    nickname_folded  text        NOT NULL DEFAULT '', -- case and width folded, for searches
    nickname_given   boolean     NOT NULL DEFAULT false, -- generated name: the player may choose one
    nickname_changed_at timestamptz -- NULL: the name was generated, or is the first one they chose
);
CREATE INDEX players_nickname ON players (nickname_folded text_pattern_ops, id);
CREATE INDEX players_banned ON players (banned_at) WHERE banned_at IS NOT NULL;

-- Visual form of nicknames (api/names/names.c). Two nicknames with the same key could be mistaken for each
-- other, so only one of them may exist. until: a name that its player has given up remains reserved for
-- them until then; NULL: the current name. A player has no key if another player had it first and the
-- similarity tables changed later.
CREATE TABLE name_keys (
    key       text        COLLATE "C" PRIMARY KEY CHECK (octet_length(key) BETWEEN 1 AND 255),
    player_id bigint      NOT NULL REFERENCES players (id),
    until     timestamptz
);
CREATE INDEX name_keys_player ON name_keys (player_id);
CREATE INDEX name_keys_until ON name_keys (until) WHERE until IS NOT NULL;

-- Email sign-in of registered players. The address is in lower case; password_hash is a libsodium string
-- (argon2id).
CREATE TABLE credentials (
    player_id     bigint      PRIMARY KEY REFERENCES players (id),
    email         text        NOT NULL UNIQUE
                              CHECK (email = lower(email COLLATE "C")
                                     AND char_length(email) BETWEEN 3 AND 254),
    password_hash text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- A guest returns with a secret that the server gave their device; only its hash is stored. Each use replaces
-- it. old_hash: hash of the previous secret, which remains valid for a while in case the reply with the new
-- one was lost.
CREATE TABLE guest_devices (
    player_id   bigint      PRIMARY KEY REFERENCES players (id),
    secret_hash bytea       NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    old_hash    bytea       UNIQUE CHECK (octet_length(old_hash) = 32),
    replaced_at timestamptz,
    CHECK ((old_hash IS NULL) = (replaced_at IS NULL))
);

-- Address from which an account was created, and the day in the settings' time zone. Kept for a while, to
-- limit how many new accounts per address earn anything, and for reports. address_hash: hash of the address
-- bucket (base/addr.h), keyed with a key outside the database (api/core/origin.c), so that the address
-- cannot be recovered.
CREATE TABLE account_origins (
    player_id    bigint PRIMARY KEY REFERENCES players (id),
    address_hash bytea  NOT NULL CHECK (octet_length(address_hash) = 32),
    day          date   NOT NULL
);
CREATE INDEX account_origins_address ON account_origins (address_hash, day);
CREATE INDEX account_origins_day ON account_origins (day);

-- Accounts beyond that limit. Until they have a confirmed way to sign in, they get no welcome chips and no
-- daily bonus; games bring them only chips, and opponents count them as a player met too often that day
-- (settle_meetings).
CREATE TABLE withheld_players (
    player_id bigint PRIMARY KEY REFERENCES players (id)
);

-- User handle by which passkeys identify an account: random, constant, and meaningless to others.
CREATE TABLE passkey_handles (
    player_id bigint PRIMARY KEY REFERENCES players (id),
    handle    bytea  NOT NULL UNIQUE CHECK (octet_length(handle) = 32)
);

-- A passkey (WebAuthn): public half of a key held by an authenticator. credential_id: chosen by the
-- authenticator. public_key: as libfido2 stores it, without framing. sign_count: number of uses; 0: the
-- authenticator does not count. backed_up: synced to more than one device. transports: how browsers reach it,
-- as they reported.
CREATE TABLE passkeys (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id       bigint      NOT NULL REFERENCES passkey_handles (player_id),
    credential_id   bytea       NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
    algorithm       text        NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA', 'RS256')),
    public_key      bytea       NOT NULL,
    sign_count      bigint      NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
    backup_eligible boolean     NOT NULL,
    backed_up       boolean     NOT NULL,
    transports      text[]      NOT NULL CHECK (cardinality(transports) <= 8),
    name            text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 32),
    created_at      timestamptz NOT NULL DEFAULT now(),
    used_at         timestamptz, -- NULL: not for signing in
    CHECK (octet_length(public_key) = CASE algorithm WHEN 'ES256' THEN 64 WHEN 'EdDSA' THEN 32 ELSE 259 END),
    CHECK (backup_eligible OR NOT backed_up)
);
CREATE INDEX passkeys_player ON passkeys (player_id);

-- Challenges that were issued and not used yet. Each takes the next slot of a ring, so there are never more
-- than passkey_challenges_max. session_id: session that adds a passkey; NULL: a sign-in.
CREATE TABLE passkey_challenges (
    slot           bigint      PRIMARY KEY,
    challenge_hash bytea       NOT NULL UNIQUE CHECK (octet_length(challenge_hash) = 32),
    session_id     bigint,
    expires_at     timestamptz NOT NULL
);
CREATE SEQUENCE passkey_challenge_slots MINVALUE 0;

-- A session: one sign-in, with the refresh tokens and access tokens derived from it. app and system: as the
-- client identified itself; NULL: unknown. network: last address used, truncated. idle_at: the session ends
-- then unless it is used; over_at: it ends then in any case.
CREATE TABLE sessions (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES players (id),
    app        text        CHECK (char_length(app) BETWEEN 1 AND 32),
    system     text        CHECK (char_length(system) BETWEEN 1 AND 32),
    network    text        CHECK (char_length(network) <= 43),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz NOT NULL DEFAULT now(),
    idle_at    timestamptz NOT NULL,
    over_at    timestamptz NOT NULL,
    ended_at   timestamptz, -- signed out, or a token was reused
    CHECK (idle_at <= over_at)
);
CREATE INDEX sessions_player ON sessions (player_id);
CREATE INDEX sessions_idle ON sessions (idle_at);
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- Each use replaces a token. Reuse means that two parties hold it, so the session ends. Exception: if the
-- token is repeated at once and its successor was not used, a reply was lost. next_hash: hash of the
-- successor.
CREATE TABLE refresh_tokens (
    token_hash bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    session_id bigint      NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    issued_at  timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz,
    next_hash  bytea       CHECK (octet_length(next_hash) = 32),
    CHECK ((used_at IS NULL) = (next_hash IS NULL))
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
CREATE INDEX refresh_tokens_used ON refresh_tokens (used_at) WHERE used_at IS NOT NULL;

-- Result of signing in: code, and if it is ok, the session and the profile. ended: sessions that this call
-- ended.
CREATE TYPE session_answer AS (
    code                text,
    id                  bigint,
    nickname            text,
    avatar              text,
    kind                text,
    level               integer,
    title               text,
    clover_points       bigint,
    level_points        bigint,
    level_points_needed bigint,
    rating              integer,
    rating_games        bigint,
    created_at          bigint,
    email_verified      boolean,
    rewards_withheld    boolean,
    deletion_due_at     bigint,
    nickname_changes_at bigint,
    language            text,
    session_id          bigint,
    ended               bigint[]
);

-- Accounts for programs: players of kind `bot`, each owned by a registered player who is responsible for it.
-- retired_at: its owner has retired it.
CREATE TABLE bot_accounts (
    player_id  bigint      PRIMARY KEY REFERENCES players (id),
    owner_id   bigint      NOT NULL REFERENCES players (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    CHECK (player_id <> owner_id)
);
CREATE INDEX bot_accounts_owner ON bot_accounts (owner_id);

-- Credential with which a program obtains access tokens for one bot. scopes: see api/scopes.def. session_id:
-- session of its access tokens; it ends with the credential.
CREATE TABLE bot_tokens (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES bot_accounts (player_id),
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 32),
    scopes     text[]      NOT NULL CHECK (cardinality(scopes) BETWEEN 1 AND 8),
    token_hash bytea       NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    prefix     text        NOT NULL CHECK (char_length(prefix) = 10),
    session_id bigint      REFERENCES sessions (id) ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz,
    expires_at timestamptz NOT NULL
);
CREATE INDEX bot_tokens_player ON bot_tokens (player_id);
CREATE INDEX bot_tokens_session ON bot_tokens (session_id);

-- Identity of a player at an OpenID Connect provider: the issuer, and the subject, which is unique and
-- permanent there. email: as last reported by the provider, so that the player can tell identities apart; it
-- grants no access.
CREATE TABLE identities (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES players (id),
    issuer     text        NOT NULL CHECK (char_length(issuer) BETWEEN 8 AND 511),
    subject    text        NOT NULL CHECK (char_length(subject) BETWEEN 1 AND 255),
    email      text        CHECK (char_length(email) BETWEEN 3 AND 254),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (issuer, subject),
    UNIQUE (player_id, issuer)
);

-- OpenID Connect sign-ins in progress. secret_hash: hash of what the browser or app that started it keeps;
-- state, nonce, and verifier are derived from that secret with a server key and never stored. player_id:
-- account to link; NULL: sign-in. source: bucket of the address that started it.
CREATE TABLE identity_flows (
    secret_hash  bytea       PRIMARY KEY CHECK (octet_length(secret_hash) = 32),
    issuer       text        NOT NULL CHECK (char_length(issuer) <= 511),
    redirect_uri text        NOT NULL CHECK (char_length(redirect_uri) <= 511),
    player_id    bigint      REFERENCES players (id),
    source       text        NOT NULL CHECK (char_length(source) <= 64),
    expires_at   timestamptz NOT NULL
);
CREATE INDEX identity_flows_source ON identity_flows (source, expires_at);
CREATE INDEX identity_flows_expires ON identity_flows (expires_at);
CREATE INDEX identity_flows_player ON identity_flows (player_id) WHERE player_id IS NOT NULL;

-- Sign-ins with a wrong password, and those whose password is being verified; used for locks. account_hash
-- is computed from the address, so that addresses without an account count, too. source: address bucket
-- (base/addr.h). device_hash: of the device, if the account knows it.
CREATE TABLE login_attempts (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_hash bytea       NOT NULL CHECK (octet_length(account_hash) = 32),
    source       text        NOT NULL CHECK (char_length(source) <= 64),
    device_hash  bytea       CHECK (octet_length(device_hash) = 32),
    at           timestamptz NOT NULL DEFAULT now(),
    failed       boolean     NOT NULL DEFAULT false, -- false: the outcome is unknown or pending
    factor       boolean     NOT NULL DEFAULT false  -- a second-factor code
);
CREATE INDEX login_attempts_account ON login_attempts (account_hash, at);
CREATE INDEX login_attempts_source ON login_attempts (source, at);
CREATE INDEX login_attempts_at ON login_attempts (at);

-- A device that signed in to an account keeps a token that identifies it; only its hash is stored. Failed
-- sign-ins from elsewhere do not lock it out.
CREATE TABLE known_devices (
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES players (id),
    used_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, token_hash)
);
CREATE INDEX known_devices_token ON known_devices (token_hash);
CREATE INDEX known_devices_used ON known_devices (used_at);

-- Second factor of an account: a TOTP secret (RFC 6238), encrypted by the server (api/core/token_seal.c)
-- with a key derived from the token secret named kid. on_at NULL: setup began at created_at, and `tries`
-- codes were submitted. last_step: time step of the last accepted code; earlier codes are rejected.
CREATE TABLE totp_factors (
    player_id  bigint      PRIMARY KEY REFERENCES credentials (player_id) ON DELETE CASCADE,
    sealed     bytea       NOT NULL CHECK (octet_length(sealed) = 60),
    kid        text        NOT NULL CHECK (char_length(kid) BETWEEN 1 AND 63),
    created_at timestamptz NOT NULL DEFAULT now(),
    on_at      timestamptz,
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    last_step  bigint      NOT NULL DEFAULT 0 CHECK (last_step >= 0)
);
CREATE INDEX totp_factors_setup ON totp_factors (created_at) WHERE on_at IS NULL;

-- Recovery codes: each replaces a second-factor code once; only its hash is stored.
CREATE TABLE recovery_codes (
    player_id bigint NOT NULL REFERENCES totp_factors (player_id) ON DELETE CASCADE,
    code_hash bytea  NOT NULL CHECK (octet_length(code_hash) = 32),
    PRIMARY KEY (player_id, code_hash)
);

-- Sign-ins whose first factor was correct and that wait for the second one. Only the hash of the token with
-- which they continue is stored.
CREATE TABLE login_challenges (
    token_hash bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES totp_factors (player_id) ON DELETE CASCADE,
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    expires_at timestamptz NOT NULL
);
CREATE INDEX login_challenges_player ON login_challenges (player_id, expires_at);
CREATE INDEX login_challenges_expires ON login_challenges (expires_at);

-- Emails to send: written in the transaction that causes them (mail_put), sent by any server. token: base of
-- the Message-ID, the same at each attempt. data: template fields, cleared once the email has been sent or
-- given up, because they may contain a link that grants access.
CREATE TABLE mails (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token      uuid        NOT NULL DEFAULT gen_random_uuid(),
    player_id  bigint      NOT NULL REFERENCES players (id),
    address    text        NOT NULL CHECK (char_length(address) BETWEEN 3 AND 254),
    template   text        NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    data       jsonb       NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    created_at timestamptz NOT NULL DEFAULT now(),
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    held       integer     NOT NULL DEFAULT 0 CHECK (held >= 0), -- attempts that failed on our side
    next_try   timestamptz NOT NULL DEFAULT now(), -- while being sent: when another server may take over
    sent_at    timestamptz,
    failed_at  timestamptz, -- given up
    said       text        CHECK (char_length(said) <= 300), -- why the last try failed
    CHECK (sent_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX mails_due ON mails (next_try) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mails_over ON mails (coalesce(sent_at, failed_at))
    WHERE coalesce(sent_at, failed_at) IS NOT NULL;
CREATE INDEX mails_player ON mails (player_id);

-- Links sent by email. Each takes effect once; if it is used again before it expires, it only reports that
-- it was used (used_at). verify: confirms the address of the account. change: makes this address the
-- account's. undo: restores this previous address. reset: sets a new password. unlock: lifts a sign-in
-- lock.
CREATE TABLE mail_proofs (
    token_hash bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES players (id),
    kind       text        NOT NULL CHECK (kind IN ('verify', 'change', 'undo', 'reset', 'unlock')),
    address    text        NOT NULL, -- the address it was sent to
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    proved     boolean     NOT NULL DEFAULT true -- undo: whether that address was confirmed
);
CREATE INDEX mail_proofs_player ON mail_proofs (player_id, kind);
CREATE INDEX mail_proofs_expires ON mail_proofs (expires_at);
CREATE INDEX mail_proofs_undo ON mail_proofs (address) WHERE kind = 'undo';

-- Addresses for which a password reset was requested or sign-ins are locked, until the server has checked
-- which of them have an account.
CREATE TABLE link_requests (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind  text   NOT NULL CHECK (kind IN ('reset', 'unlock')),
    email text   NOT NULL CHECK (char_length(email) <= 254)
);

-- First replies by idempotency key. Written in the transaction that produces the reply.
CREATE TABLE idempotency (
    player_id bigint      NOT NULL REFERENCES players (id),
    key       text        NOT NULL CHECK (char_length(key) BETWEEN 1 AND 128),
    action    text        NOT NULL,
    body_hash bytea       NOT NULL,
    answer    jsonb       NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, key)
);
CREATE INDEX idempotency_at ON idempotency (at);

-- Limits that players set for themselves. kind: time (minutes per day), purchases (per day, in the smallest
-- unit of the currency), exclusion (until this Unix time). next_value replaces value at next_at.
CREATE TABLE play_limits (
    player_id  bigint      NOT NULL REFERENCES players (id),
    kind       text        NOT NULL CHECK (kind IN ('time', 'purchases', 'exclusion')),
    value      bigint      NOT NULL CHECK (value >= 0),
    next_value bigint      CHECK (next_value >= 0),
    next_at    timestamptz,
    PRIMARY KEY (player_id, kind),
    CHECK ((next_value IS NULL) = (next_at IS NULL))
);

-- A purchase limit is one amount, but orders may be in several currencies, so each is converted. worth:
-- value of the currency's smallest unit, in smallest units of the limit currency (whose worth is 1).
CREATE TABLE limit_currencies (
    currency text    PRIMARY KEY CHECK (currency ~ '^[a-z]{3}$'),
    worth    numeric NOT NULL CHECK (worth > 0)
);

-- ==== Nodes ================================================================================================

-- A node is a running server. Its epoch changes with each start and when other nodes take over its tables; no
-- two nodes ever have the same one. Every write for a table carries the epoch its node started with, so
-- that a process that has lost its name or lease can no longer write. stopped_at: when the previous process
-- was last heard from. The turn clock stops while no node can play, so the time left after a restart is
-- computed from this value; the next start must not overwrite it.
CREATE SEQUENCE node_epochs;
CREATE TABLE nodes (
    name       text        PRIMARY KEY CHECK (char_length(name) BETWEEN 1 AND 64),
    epoch      bigint      NOT NULL,
    starts     integer     NOT NULL DEFAULT 1 CHECK (starts > 0),
    stopped_at timestamptz
);

-- The registry: what each node reports about itself every second. Separate from nodes, because every write of
-- a table locks its node's row there, and a renewal must never wait for those. epoch: as in nodes; both
-- change together. renewals: grows with every report, so that other nodes can detect silence by their own
-- clocks. alive_at: time of the last report. seen_at: like alive_at, but ignores reports sent during
-- startup, so that a process that ended before it ran tables does not count. drain, pass_n: an operator's
-- request to hand over all tables, or this many; the node gets it in the reply to its next report.
CREATE TABLE node_leases (
    node      text        PRIMARY KEY REFERENCES nodes (name),
    epoch     bigint      NOT NULL,
    state     text        NOT NULL CHECK (state IN ('starting', 'ready', 'unreached', 'draining', 'gone')),
    renewals  bigint      NOT NULL DEFAULT 1,
    alive_at  timestamptz NOT NULL DEFAULT now(),
    seen_at   timestamptz,
    ws_url    text        NOT NULL DEFAULT '', -- public base of its sockets
    version   text        NOT NULL DEFAULT '',
    table_max integer     NOT NULL DEFAULT 0 CHECK (table_max >= 0), -- maximum number of tables
    tables    integer     NOT NULL DEFAULT 0 CHECK (tables >= 0),    -- current number of tables
    sockets   integer     NOT NULL DEFAULT 0 CHECK (sockets >= 0),   -- connected players
    lobby     integer     NOT NULL DEFAULT 0 CHECK (lobby >= 0),     -- of these, players in the lobby
    drain     boolean     NOT NULL DEFAULT false,
    pass_n    integer     NOT NULL DEFAULT 0 CHECK (pass_n >= 0)
) WITH (fillfactor = 50);

-- Players in each node's lobby, reported by the nodes while more than one is alive. A row counts as long as
-- its node is alive and has this epoch. Unlogged: after a crash or failover the nodes report it again.
CREATE UNLOGGED TABLE lobby_players (
    player_id bigint NOT NULL,
    node      text   NOT NULL,
    epoch     bigint NOT NULL,
    PRIMARY KEY (player_id, node)
);
CREATE INDEX lobby_players_node ON lobby_players (node);

-- ==== Tournaments ==========================================================================================

-- How a pot is distributed (docs/tournaments.md). The rows with one entries_min apply from that many human
-- players up to the next larger value; each share is in hundredths of a percent, and together they add up
-- to the whole pot. Rows never change, because a tournament is announced with its table.
CREATE TABLE prize_tables (
    id         text        PRIMARY KEY CHECK (id ~ '^[a-z0-9_]{1,32}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);

-- One row per place, starting with the first.
CREATE TABLE prize_shares (
    prize_table text     NOT NULL REFERENCES prize_tables (id),
    entries_min integer  NOT NULL CHECK (entries_min > 0),
    place       smallint NOT NULL CHECK (place > 0),
    share       integer  NOT NULL CHECK (share BETWEEN 1 AND 10000),
    PRIMARY KEY (prize_table, entries_min, place),
    CHECK (place <= entries_min)
);

-- kind: knockout (the first advance_n of each table advance), stages (the best keep_percent of all advance,
-- by points over all rounds), swiss (all play rounds_n rounds), teams (two of seats_n each, which play one
-- duplicate round at two tables and split the pot without a prize table). starts_at NULL: starts when
-- entries_max have entered, or with bots wait_s after the first entry. bots_to: house bots fill it up to this
-- number at its start. All draws derive from a seed (tournament_secrets) through a chain (tournament_seed),
-- whose last link is published as commit. clients: hash of all entrants' seeds when entries last closed.
-- state: open, running, ended; cancelling while entries are refunded, then cancelled. round_over: the round
-- has been counted, and the next one is drawn at next_at. people_n: entries by human players. duplicate:
-- all tables of a round play one deal (tournament_deals), whose secrets derive from the same seed through a
-- chain whose last link is deal_commit.
CREATE TABLE tournaments (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    kind         text        NOT NULL CHECK (kind IN ('knockout', 'stages', 'swiss', 'teams')),
    variant      text        NOT NULL,
    params       text        NOT NULL,
    options      jsonb       NOT NULL DEFAULT '{}',
    seats_n      smallint    NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    advance_n    smallint    CHECK (advance_n BETWEEN 1 AND seats_n - 1),
    keep_percent smallint    CHECK (keep_percent BETWEEN 10 AND 75),
    rounds_n     smallint    CHECK (rounds_n BETWEEN 1 AND 30),
    entry        bigint      NOT NULL CHECK (entry >= 0),
    prize_table  text        REFERENCES prize_tables (id),
    entries_min  integer     NOT NULL CHECK (entries_min >= 0),
    entries_max  integer     NOT NULL CHECK (entries_max BETWEEN 2 AND 10000),
    bots_to      integer     NOT NULL CHECK (bots_to BETWEEN 0 AND entries_max),
    bot_level    smallint    NOT NULL CHECK (bot_level BETWEEN 1 AND 4),
    sit_and_go   boolean     NOT NULL,
    starts_at    timestamptz CHECK (starts_at IS NOT NULL OR sit_and_go),
    late_s       integer     NOT NULL CHECK (late_s >= 0),
    wait_s       integer     NOT NULL CHECK (wait_s >= 0),
    break_s      integer     NOT NULL CHECK (break_s >= 0),
    draws_max    smallint    NOT NULL CHECK (draws_max BETWEEN 1 AND 64),
    commit       bytea       NOT NULL CHECK (octet_length(commit) = 32),
    clients      bytea       CHECK (octet_length(clients) = 32),
    state        text        NOT NULL DEFAULT 'open'
                             CHECK (state IN ('open', 'running', 'ended', 'cancelling', 'cancelled')),
    reason       text        CHECK (reason IN ('too_few', 'by_operator')),
    people_n     integer     NOT NULL DEFAULT 0 CHECK (people_n BETWEEN 0 AND entries_max),
    bots_n       integer     NOT NULL DEFAULT 0 CHECK (bots_n >= 0),
    entries_no   integer     NOT NULL DEFAULT 0, -- last number assigned
    round_no     integer     NOT NULL DEFAULT 0,
    draw_no      integer     NOT NULL DEFAULT 0 CHECK (draw_no <= draws_max),
    round_over   boolean     NOT NULL DEFAULT false,
    next_at      timestamptz,
    round_ends_at timestamptz, -- deadline of the round: tables still playing then are ended
    late_until   timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    started_at   timestamptz,
    ended_at     timestamptz,
    duplicate    boolean     NOT NULL DEFAULT false,
    deal_commit  bytea       CHECK (octet_length(deal_commit) = 32),
    CHECK ((kind = 'knockout') = (advance_n IS NOT NULL)),
    CHECK ((kind = 'stages') = (keep_percent IS NOT NULL)),
    CHECK ((kind = 'swiss') = (rounds_n IS NOT NULL)),
    CHECK ((kind = 'teams') = (prize_table IS NULL)),
    CHECK (kind <> 'teams' OR duplicate AND seats_n IN (2, 4) AND entries_max = 2 * seats_n),
    CHECK (duplicate = (deal_commit IS NOT NULL)),
    CHECK (NOT duplicate OR kind <> 'knockout' AND late_s = 0),
    CHECK ((state IN ('cancelling', 'cancelled')) = (reason IS NOT NULL)),
    CHECK ((state IN ('ended', 'cancelled')) = (ended_at IS NOT NULL))
);

-- Seed of a tournament, secret until its last draw; only the owner role can read it.
CREATE TABLE tournament_secrets (
    tournament_id bigint PRIMARY KEY REFERENCES tournaments (id),
    seed          bytea  NOT NULL CHECK (octet_length(seed) = 32)
);
CREATE INDEX tournaments_active ON tournaments (id) WHERE state IN ('open', 'running', 'cancelling');

-- player_id NULL: a house bot. team: in a match of two teams. paid: what this entry added to the pot. live:
-- may still be refunded. drawn: is or was seated in a round. score: by places at tables; margin: by points
-- there; matchpoints: in a duplicate, sum of the fractions of opponents beaten; wins: tables won, without
-- byes; byes: their number (docs/tournaments.md). out_round: round in which it was eliminated. place: once
-- known.
CREATE TABLE tournament_entries (
    tournament_id bigint      NOT NULL REFERENCES tournaments (id),
    entry_no      integer     NOT NULL CHECK (entry_no > 0),
    player_id     bigint      REFERENCES players (id),
    bot_level     smallint    CHECK (bot_level BETWEEN 1 AND 4),
    bot_name      text,
    client_seed   bytea       NOT NULL DEFAULT ''
                              CHECK (octet_length(client_seed) = 0
                                     OR octet_length(client_seed) BETWEEN 16 AND 32),
    paid_silver   bigint      NOT NULL DEFAULT 0 CHECK (paid_silver >= 0),
    paid_gold     bigint      NOT NULL DEFAULT 0 CHECK (paid_gold >= 0),
    live          boolean     NOT NULL DEFAULT true,
    entered_at    timestamptz NOT NULL DEFAULT now(),
    drawn         boolean     NOT NULL DEFAULT false,
    score         integer     NOT NULL DEFAULT 0,
    margin        bigint      NOT NULL DEFAULT 0,
    matchpoints   numeric     NOT NULL DEFAULT 0,
    wins          integer     NOT NULL DEFAULT 0,
    byes          integer     NOT NULL DEFAULT 0,
    out_round     integer,
    place         integer     CHECK (place > 0),
    prize_silver  bigint      NOT NULL DEFAULT 0 CHECK (prize_silver >= 0),
    prize_gold    bigint      NOT NULL DEFAULT 0 CHECK (prize_gold >= 0),
    team          smallint    CHECK (team IN (1, 2)),
    PRIMARY KEY (tournament_id, entry_no),
    UNIQUE (tournament_id, player_id),
    CHECK ((player_id IS NULL) = (bot_level IS NOT NULL) AND (player_id IS NULL) = (bot_name IS NOT NULL)),
    CHECK (player_id IS NOT NULL OR paid_silver + paid_gold = 0)
);
CREATE INDEX tournament_entries_player ON tournament_entries (player_id, tournament_id)
    WHERE player_id IS NOT NULL;
CREATE INDEX tournament_entries_live ON tournament_entries (player_id) WHERE live AND player_id IS NOT NULL;
CREATE INDEX tournament_entries_place ON tournament_entries (tournament_id, place, entry_no);

-- The draw of a round: entries in order of tables and seats.
CREATE TYPE tournament_drawn AS (seats integer[], repeats bigint, least boolean);

-- Draws and their inputs. seed: the chain link that this draw reveals. clients: the hash at that time, over
-- the entries with numbers up to entries_to. For later rounds of a Swiss tournament: repeats, the number of
-- earlier meetings among players at the same table; least: no draw could have had fewer.
CREATE TABLE tournament_draws (
    tournament_id bigint      NOT NULL REFERENCES tournaments (id),
    draw_no       integer     NOT NULL CHECK (draw_no > 0),
    round_no      integer     NOT NULL CHECK (round_no > 0),
    seed          bytea       NOT NULL CHECK (octet_length(seed) = 32),
    clients       bytea       NOT NULL CHECK (octet_length(clients) = 32),
    entries_to    integer     NOT NULL,
    repeats       bigint      CHECK (repeats >= 0),
    least         boolean,
    drawn_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tournament_id, draw_no)
);

-- ==== Tables and seats =====================================================================================

-- Public tables with one stake are opened in a room. position orders the rooms.
CREATE TABLE rooms (
    id                text     PRIMARY KEY,
    position          smallint NOT NULL UNIQUE,
    name              text     NOT NULL,
    variant           text     NOT NULL,
    params            text     NOT NULL DEFAULT '', -- options that differ from the variant's defaults
    seats_n           smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    stake             bigint   NOT NULL CHECK (stake >= 0),
    reward            bigint   NOT NULL CHECK (reward >= 0),
    multiplier_tenths integer  NOT NULL CHECK (multiplier_tenths >= 0),
    title             text     NOT NULL REFERENCES titles (name), -- unlocks the room
    bots              boolean  NOT NULL, -- empty seats may be filled with bots
    bot_level         smallint NOT NULL CHECK (bot_level BETWEEN 1 AND 4),
    fill_wait_ms      integer  NOT NULL CHECK (fill_wait_ms >= 0), -- how long a table waits for human players
    open              boolean  NOT NULL,
    -- Delay of spectators; NULL: its tables cannot be watched.
    watch_delay_ms    integer  DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000),
    bot_accounts      boolean  NOT NULL DEFAULT false, -- bot accounts may sit here; its games are practice
    CHECK (NOT bot_accounts OR stake = 0 AND reward = 0)
);

-- Points per place, before the bonuses for opening and for discarded cards.
CREATE TABLE place_points (
    variant text     NOT NULL,
    place   smallint NOT NULL CHECK (place > 0),
    points  integer  NOT NULL CHECK (points >= 0),
    PRIMARY KEY (variant, place)
);

-- A deal played at many tables, so that the same choices get the same cards (docs/daily-deal.md,
-- docs/tournaments.md). The server seed of each hand is derived from `seed` (deal_hand_seed); the client seed
-- is that of seat 0 in every hand. best_high: the highest total wins. opens_at: its cards are secret before
-- that time and while one of its plays is running (deal_is_open); infinity: its end is not known yet. number:
-- replaces the table's number in the key of each hand, and was known before the seed; NULL: id does.
CREATE TABLE deals (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    variant     text        NOT NULL,
    params      text        NOT NULL,
    options     jsonb       NOT NULL,
    seats_n     smallint    NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    bot_level   smallint    NOT NULL CHECK (bot_level BETWEEN 1 AND 4),
    best_high   boolean     NOT NULL,
    seed        bytea       NOT NULL CHECK (octet_length(seed) = 32),
    client_seed bytea       NOT NULL CHECK (octet_length(client_seed) BETWEEN 16 AND 32),
    opens_at    timestamptz NOT NULL,
    number      bigint      CHECK (number > 0)
);

-- All tables, live and finished. A table is opened by a room, or by a player with any variant, options, human
-- players, and bots. Private tables are entered by their code and played without chips and points; public
-- ones are listed for everyone, or for the club they were opened for. The server opens house tables for given
-- players: no one else can join, no one can leave before the deal, and the game starts on time no matter
-- who is connected.
--
-- Stake, reward, multiplier, and watch_delay_ms are fixed when the table is opened: a later change of the
-- room does not affect a running game. options: as the creator named them, for display; params: what the
-- engine reads. server_seed is secret until the hand is over.
--
-- Chips at a table that a player opened: either the stake of one of the rooms; all stakes form a pot that the
-- winners share, odd chips in turn order. Or a point value: each seat holds the most a hand can cost and pays
-- its points, and the winner gets the sum. Gold stays gold and silver stays silver; silver over the winner's
-- cap is lost.
CREATE TABLE tables (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room_id           text        REFERENCES rooms (id),
    variant           text        NOT NULL,
    params            text        NOT NULL,
    seats_n           smallint    NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    people_n          smallint    NOT NULL DEFAULT 0 CHECK (people_n BETWEEN 0 AND seats_n),
    takes_n           integer     NOT NULL DEFAULT 0, -- number of times a seat was taken; numbers the stakes
    stake             bigint      NOT NULL CHECK (stake >= 0),
    reward            bigint      NOT NULL CHECK (reward >= 0),
    multiplier_tenths integer     NOT NULL CHECK (multiplier_tenths >= 0),
    state             text        NOT NULL DEFAULT 'waiting'
                                  CHECK (state IN ('waiting', 'playing', 'lost', 'finished', 'cancelled')),
    practice          boolean     NOT NULL DEFAULT false, -- no chips, no points
    solo_day         date,       -- day whose solo game count includes this table
    node              text        NOT NULL REFERENCES nodes (name),
    hand_no           integer     NOT NULL DEFAULT 1 CHECK (hand_no > 0),
    server_seed       bytea       NOT NULL CHECK (octet_length(server_seed) = 32),
    commit            bytea       NOT NULL CHECK (octet_length(commit) = 32),
    created_at        timestamptz NOT NULL DEFAULT now(),
    fill_at           timestamptz NOT NULL, -- waits for human players until then
    started_at        timestamptz,
    ended_at          timestamptz,
    cancel_asked_at   timestamptz, -- an operator requested its end; its node carries it out
    visibility        text        NOT NULL DEFAULT 'room'
        CHECK (visibility IN ('room', 'public', 'private', 'house')),
    creator_id        bigint      REFERENCES players (id),
    options           jsonb       NOT NULL DEFAULT '{}',
    bots_n            smallint    NOT NULL DEFAULT 0 CHECK (bots_n >= 0), -- seats kept for bots
    bot_level         smallint    CHECK (bot_level BETWEEN 1 AND 4),
    code              text,       -- admits players to a private table
    watch_delay_ms    integer     DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000),
    rematch_of        bigint      REFERENCES tables (id),
    point_value       smallint    NOT NULL DEFAULT 0 CHECK (point_value >= 0),
    -- Seats the creator kept for bots: a player who takes one and leaves before the deal gives it back to a
    -- bot.
    bots_kept         smallint    NOT NULL DEFAULT 0 CHECK (bots_kept >= 0),
    -- When the table's previous node was last heard from or handed it over. Valid until the new node starts
    -- the table again.
    stopped_at        timestamptz,
    bot_accounts      boolean     NOT NULL DEFAULT false, -- bot accounts may sit here
    turn_hours        smallint    CHECK (turn_hours > 0), -- per turn; NULL: the variant's turn time
    asleep            boolean     NOT NULL DEFAULT false, -- not loaded by any node: see slow_turns
    deal_id           bigint      REFERENCES deals (id), -- deal shared with other tables; NULL: its own
    tournament_id     bigint      REFERENCES tournaments (id),
    club_id           bigint, -- open to members of this club only; the club may have been closed since
    CHECK (club_id IS NULL OR visibility IN ('public', 'private')),
    CHECK (tournament_id IS NULL OR visibility = 'house' AND stake = 0),
    CHECK (NOT asleep OR turn_hours IS NOT NULL AND state = 'playing'),
    CHECK (deal_id IS NULL OR visibility = 'house' AND stake = 0 AND watch_delay_ms IS NULL
           AND practice = (tournament_id IS NULL)),
    CHECK (people_n + bots_n <= seats_n),
    CHECK (NOT bot_accounts OR practice AND stake = 0),
    CHECK ((visibility = 'room') = (room_id IS NOT NULL)),
    CHECK ((visibility IN ('room', 'house')) = (creator_id IS NULL)),
    CHECK ((visibility = 'private') = (code IS NOT NULL))
);
CREATE INDEX tables_waiting ON tables (room_id, created_at, id) WHERE state = 'waiting';
CREATE INDEX tables_live ON tables (node, stopped_at) WHERE state IN ('waiting', 'playing') AND NOT asleep;
CREATE INDEX tables_unfinished ON tables (state, id) WHERE state <> 'finished';
CREATE INDEX tables_public ON tables (id) WHERE visibility = 'public' AND state = 'waiting';
CREATE INDEX tables_club ON tables (club_id, id)
    WHERE club_id IS NOT NULL AND state IN ('waiting', 'playing');
CREATE UNIQUE INDEX tables_code ON tables (code) WHERE code IS NOT NULL AND state IN ('waiting', 'playing');
CREATE INDEX tables_code_past ON tables (code) WHERE code IS NOT NULL AND state NOT IN ('waiting', 'playing');
CREATE INDEX tables_to_cancel ON tables (cancel_asked_at)
    WHERE cancel_asked_at IS NOT NULL AND state IN ('waiting', 'playing');
CREATE UNIQUE INDEX tables_rematch ON tables (rematch_of) WHERE rematch_of IS NOT NULL;

-- Deal that all tables of a round play in a duplicate tournament. seed: chain link from which it was
-- derived (tournament_deal_link).
CREATE TABLE tournament_deals (
    tournament_id bigint  NOT NULL REFERENCES tournaments (id),
    round_no      integer NOT NULL CHECK (round_no > 0),
    deal_id       bigint  NOT NULL UNIQUE REFERENCES deals (id),
    seed          bytea   NOT NULL CHECK (octet_length(seed) = 32),
    PRIMARY KEY (tournament_id, round_no)
);

-- A table of a round. people_n: seats of human players, the others are bots. table_id NULL: drawn and not
-- opened yet, or a bye (seats_n 1). tries: how often it was opened; a table that was canceled or lost is
-- played again. over_at: its places are known. by_lot: places were drawn by lot.
CREATE TABLE tournament_tables (
    tournament_id bigint      NOT NULL REFERENCES tournaments (id),
    round_no      integer     NOT NULL,
    table_no      integer     NOT NULL CHECK (table_no > 0),
    draw_no       integer     NOT NULL,
    seats_n       smallint    NOT NULL CHECK (seats_n BETWEEN 1 AND 6),
    people_n      smallint    NOT NULL CHECK (people_n BETWEEN 0 AND seats_n),
    table_id      bigint      UNIQUE REFERENCES tables (id),
    tries         smallint    NOT NULL DEFAULT 0,
    over_at       timestamptz,
    by_lot        boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (tournament_id, round_no, table_no)
);
CREATE INDEX tournament_tables_open ON tournament_tables (tournament_id, round_no, table_no)
    WHERE over_at IS NULL;

-- lot: the draw ordered entrants by it. place, points: at the end of the table. score, margin: their value
-- in the tournament; in a duplicate, known when the round is over. deal_points: in a duplicate, the points
-- to compare (more is better); NULL: the table had no result. compared: in a duplicate, the number of other
-- players in the same seat. beaten: 2 for each win against one of them, 1 for each tie.
CREATE TABLE tournament_seats (
    tournament_id bigint   NOT NULL,
    round_no      integer  NOT NULL,
    table_no      integer  NOT NULL,
    seat          smallint NOT NULL CHECK (seat BETWEEN 0 AND 5),
    entry_no      integer  NOT NULL,
    lot           bytea    NOT NULL CHECK (octet_length(lot) = 32),
    place         smallint CHECK (place > 0),
    points        integer,
    score         integer,
    margin        bigint,
    deal_points   integer,
    beaten        integer,
    compared      integer,
    PRIMARY KEY (tournament_id, round_no, table_no, seat),
    UNIQUE (tournament_id, entry_no, round_no),
    FOREIGN KEY (tournament_id, round_no, table_no) REFERENCES tournament_tables,
    FOREIGN KEY (tournament_id, entry_no) REFERENCES tournament_entries,
    CHECK ((score IS NULL) = (margin IS NULL) AND (score IS NULL OR place IS NOT NULL))
);

-- player_id NULL: a bot. stake_silver and stake_gold: what the hold of this seat consists of. live: its table
-- has not ended; keeps queries for a player's tables from reading their past. left_at: the player has left
-- the running game for good, and a bot continues.
CREATE TABLE seats (
    table_id     bigint      NOT NULL REFERENCES tables (id),
    seat         smallint    NOT NULL CHECK (seat BETWEEN 0 AND 5),
    player_id    bigint      REFERENCES players (id),
    bot_level    smallint    CHECK (bot_level BETWEEN 1 AND 4),
    nickname     text        NOT NULL,
    avatar       text        NOT NULL DEFAULT '',
    client_seed  bytea       NOT NULL DEFAULT ''
                             CHECK (octet_length(client_seed) = 0
                                    OR octet_length(client_seed) BETWEEN 16 AND 32),
    stake_silver bigint      NOT NULL DEFAULT 0 CHECK (stake_silver >= 0),
    stake_gold   bigint      NOT NULL DEFAULT 0 CHECK (stake_gold >= 0),
    take         integer     NOT NULL DEFAULT 0,
    taken_at     timestamptz NOT NULL DEFAULT now(),
    live         boolean     NOT NULL DEFAULT true,
    left_at      timestamptz,
    PRIMARY KEY (table_id, seat),
    UNIQUE (table_id, player_id),
    CHECK ((player_id IS NULL) = (bot_level IS NOT NULL))
);
CREATE INDEX seats_live ON seats (player_id) WHERE live AND player_id IS NOT NULL;
-- Where names of deleted players occur, so that they can be erased.
CREATE INDEX seats_past ON seats (player_id, table_id) WHERE NOT live AND player_id IS NOT NULL;

-- Single-use tickets, bound to a player, table, and seat. seat NULL: watches the table; table_id NULL as
-- well: enters the lobby.
CREATE TABLE tickets (
    id         uuid        PRIMARY KEY,
    table_id   bigint      REFERENCES tables (id),
    player_id  bigint      NOT NULL REFERENCES players (id),
    seat       smallint,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    CHECK (table_id IS NOT NULL OR seat IS NULL)
);
CREATE INDEX tickets_table ON tickets (table_id);
CREATE INDEX tickets_expires ON tickets (expires_at);

-- Result of a seat request: code, and if it is ok, how to get there. repeated: this is the reply of an
-- earlier call.
CREATE TYPE seat_taken AS (
    code       text,
    table_id   bigint,
    seat       smallint,
    ticket     uuid,
    expires_at timestamptz,
    commit     bytea,
    repeated   boolean,
    join_code  text
);

-- Moves of running games; v is the game's version after the move. command: the client's id of the command
-- that made it, so that a command repeated after a crash gets its first reply; '' for bots and timeouts.
-- time_bank_ms: time bank used by the seat in the game so far, stored with a move; a restart reads it back.
-- hand_clock_ms: time that the turn ended by this move took from the player's hand clock, for the same
-- reason. The transaction that settles a game deletes its rows, because its records are written by then, so
-- this table stays as small as the games being played. No foreign key: it would cost a lookup per move; the
-- epoch guards writes.
CREATE TABLE journal (
    table_id     bigint      NOT NULL,
    hand_no      integer     NOT NULL,
    v            integer     NOT NULL,
    epoch        bigint      NOT NULL,
    seat         smallint    NOT NULL,
    move         bytea       NOT NULL,
    hash         bigint      NOT NULL,
    command      text        NOT NULL DEFAULT '' CHECK (char_length(command) <= 36),
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    time_bank_ms integer     NOT NULL DEFAULT 0 CHECK (time_bank_ms >= 0),
    hand_clock_ms integer    NOT NULL DEFAULT 0 CHECK (hand_clock_ms >= 0),
    PRIMARY KEY (table_id, v)
) WITH ( -- high turnover
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- Players that correspondence tables wait for (docs/correspondence.md): the seat to move, or everyone who
-- groups their cards or may rejoin the pool. v: game version at which the wait began. It ends at due_at;
-- NULL: the player is on vacation, and left_for is the time they will have afterward. told: the player has
-- been informed, because they were connected or got a notification.
CREATE TABLE slow_turns (
    table_id  bigint      NOT NULL REFERENCES tables (id),
    seat      smallint    NOT NULL,
    player_id bigint      NOT NULL REFERENCES players (id),
    v         integer     NOT NULL,
    due_at    timestamptz,
    left_for  interval,
    told      boolean     NOT NULL,
    PRIMARY KEY (table_id, seat),
    CHECK ((due_at IS NULL) = (left_for IS NOT NULL))
);
CREATE INDEX slow_turns_due ON slow_turns (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX slow_turns_player ON slow_turns (player_id);

-- Vacations, during which a player's correspondence clocks stop. used: days used in that year by past
-- vacations. since, until: the current vacation.
CREATE TABLE vacations (
    player_id bigint      PRIMARY KEY REFERENCES players (id),
    year      integer     NOT NULL,
    used      interval    NOT NULL,
    since     timestamptz,
    until     timestamptz,
    CHECK ((since IS NULL) = (until IS NULL))
);
CREATE INDEX vacations_until ON vacations (until) WHERE until IS NOT NULL;

-- Tables that no node can continue (state 'lost'): the database permanently rejects what they write, or
-- replaying their rows fails. No one plays there anymore. The stakes remain held until an operator or the
-- job stale_tables ends the table with refunds. Everything known about the table is kept. code:
-- write_refused, replay_differs, rows_unreadable; data: what was rejected, or where the replay differs.
-- record: of the current hand, as far as it replays, or what follows the last hand; '' if there is none.
CREATE TABLE lost_tables (
    table_id bigint      PRIMARY KEY REFERENCES tables (id),
    node     text        NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    code     text        NOT NULL CHECK (code IN ('write_refused', 'replay_differs', 'rows_unreadable')),
    data     jsonb       NOT NULL,
    record   text        NOT NULL,
    ended_at timestamptz
);
-- Counted periodically, for /metrics and /readyz.
CREATE INDEX lost_tables_open ON lost_tables (table_id) WHERE ended_at IS NULL;

-- Journals of lost tables, kept forever.
CREATE TABLE lost_moves (
    table_id     bigint      NOT NULL REFERENCES lost_tables (table_id),
    hand_no      integer     NOT NULL,
    v            integer     NOT NULL,
    epoch        bigint      NOT NULL,
    seat         smallint    NOT NULL,
    move         bytea       NOT NULL,
    hash         bigint      NOT NULL,
    command      text        NOT NULL,
    at           timestamptz NOT NULL,
    time_bank_ms integer     NOT NULL,
    hand_clock_ms integer    NOT NULL,
    PRIMARY KEY (table_id, v)
);

-- Hands of a game. A hand's server seed is drawn, and its commitment published, when the previous hand ends;
-- its client seeds are fixed when it is dealt; its record is written in the transaction that ends it.
-- client_seeds: by seat, each preceded by its length in one byte, as in the deal key; NULL until dealt.
-- ending, results, record: NULL until the hand is over.
CREATE TABLE hands (
    table_id     bigint      NOT NULL REFERENCES tables (id),
    hand_no      integer     NOT NULL CHECK (hand_no > 0),
    server_seed  bytea       NOT NULL CHECK (octet_length(server_seed) = 32),
    commit       bytea       NOT NULL CHECK (octet_length(commit) = 32),
    client_seeds bytea,
    dealt_at     timestamptz,
    ended_at     timestamptz,
    ending       text        CHECK (ending IN ('out', 'no_cards', 'stalled', 'last')),
    results      jsonb,
    record       text,
    PRIMARY KEY (table_id, hand_no),
    CHECK ((client_seeds IS NULL) = (dealt_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ending IS NULL) AND (ended_at IS NULL) = (results IS NULL)
           AND (ended_at IS NULL) = (record IS NULL)),
    CHECK (ended_at IS NULL OR dealt_at IS NOT NULL)
) PARTITION BY RANGE (table_id);
CREATE TABLE hands_default PARTITION OF hands DEFAULT;

-- Chat at a table. Kept with the table and thus with its games; never part of a record. text: '' if the
-- author was deleted. command: the client's id, so that a repeated message is posted once.
CREATE TABLE table_chat (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id  bigint      NOT NULL REFERENCES tables (id),
    player_id bigint      NOT NULL REFERENCES players (id),
    seat      smallint    NOT NULL,
    kind      text        NOT NULL CHECK (kind IN ('chat', 'emote')),
    text      text        NOT NULL CHECK (char_length(text) <= 200),
    command   text        NOT NULL CHECK (char_length(command) <= 36),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (table_id, player_id, command)
);
CREATE INDEX table_chat_table ON table_chat (table_id, id);
CREATE INDEX table_chat_player ON table_chat (player_id, id);

-- ==== Ledger ===============================================================================================

-- Double entry, enforced by the database itself (docs/ledger.md explains the design):
-- * all postings of a transfer come in one INSERT and sum to zero in each currency;
-- * postings and transfers are never changed, deleted, or truncated;
-- * balances change only by postings, and those of purses and holds never fall below zero.
-- The triggers are ENABLE ALWAYS, so that sessions in replica mode cannot bypass them.

-- One line of a transfer to be written.
CREATE TYPE ledger_leg AS (account_id bigint, amount bigint, reason text);

-- The same with the fields of its transfer, so that one statement can write many transfers.
CREATE TYPE ledger_line AS (
    cause      text,
    key        text,
    table_id   bigint,
    account_id bigint,
    amount     bigint,
    reason     text
);

-- Reasons for transfers.
CREATE TABLE causes (
    cause text PRIMARY KEY,
    about text NOT NULL
);

-- purse: a player's. hold: a player's chips at a table; an empty hold moves to the player's next table, so
-- a player never has more holds than they once needed at the same time. Transfers name the table that a
-- hold's lines were for. pot: entry fees of human players in a tournament. house: where chips of a cause
-- come from and go to; it has no stored balance, so that games that end at once do not all lock one row.
CREATE TABLE accounts (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind      text   NOT NULL CHECK (kind IN ('purse', 'hold', 'pot', 'house')),
    currency  text   NOT NULL CHECK (currency IN ('silver', 'gold')),
    player_id bigint REFERENCES players (id),
    table_id  bigint REFERENCES tables (id),
    cause     text   REFERENCES causes (cause),
    balance   bigint CHECK (balance >= 0),
    tournament_id bigint REFERENCES tournaments (id),
    CHECK (CASE kind
           WHEN 'purse' THEN player_id IS NOT NULL AND table_id IS NULL AND cause IS NULL
           WHEN 'hold'  THEN player_id IS NOT NULL AND table_id IS NOT NULL AND cause IS NULL
           WHEN 'pot'   THEN player_id IS NULL AND table_id IS NULL AND cause IS NULL
           ELSE player_id IS NULL AND table_id IS NULL AND cause IS NOT NULL END),
    CHECK ((tournament_id IS NOT NULL) = (kind = 'pot')),
    CHECK ((balance IS NULL) = (kind = 'house'))
);
CREATE UNIQUE INDEX accounts_purse ON accounts (player_id, currency) WHERE kind = 'purse';
CREATE UNIQUE INDEX accounts_hold ON accounts (player_id, table_id, currency) WHERE kind = 'hold';
CREATE UNIQUE INDEX accounts_pot ON accounts (tournament_id, currency) WHERE kind = 'pot';
CREATE UNIQUE INDEX accounts_house ON accounts (cause, currency) WHERE kind = 'house';

-- key: identifies this transfer permanently ('settle:table:9'); printable ASCII without spaces, so that no
-- two keys look alike. note: the reason, where one is required.
CREATE TABLE transfers (
    id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cause    text        NOT NULL REFERENCES causes (cause),
    key      text        NOT NULL UNIQUE CHECK (octet_length(key) <= 200 AND key COLLATE "C" ~ '^[!-~]+$'),
    table_id bigint      REFERENCES tables (id),
    note     text        NOT NULL DEFAULT '',
    at       timestamptz NOT NULL DEFAULT now() CHECK (isfinite(at))
);
CREATE INDEX transfers_table ON transfers (table_id) WHERE table_id IS NOT NULL;

-- reason: the purpose of this line within its transfer. balance_after: for purses and holds. The postings
-- of an account are numbered in the order in which they changed its balance. The guard replaces foreign
-- keys: one lookup for all lines of a statement instead of two per line, and no lock on the rows of house
-- accounts.
CREATE SEQUENCE postings_id;
CREATE TABLE postings (
    id            bigint PRIMARY KEY,
    transfer_id   bigint NOT NULL,
    account_id    bigint NOT NULL,
    amount        bigint NOT NULL CHECK (amount <> 0 AND abs(amount) <= 1000000000000),
    reason        text   NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 40),
    balance_after bigint CHECK (balance_after >= 0)
);
ALTER SEQUENCE postings_id OWNED BY postings.id;
CREATE INDEX postings_transfer ON postings (transfer_id);
CREATE INDEX postings_account ON postings (account_id, id);

-- The hash chain: the hash of each transfer with its lines and the previous hash, ordered by number
-- (docs/ledger.md). Written by ledger_seal a few seconds after the transfer, and never changed.
CREATE TABLE ledger_chain (
    transfer_id bigint PRIMARY KEY,
    hash        bytea  NOT NULL CHECK (octet_length(hash) = 32)
);

-- One row: how far the chain reaches. mark: last number assigned when the mark was set. writers: virtual
-- transactions that were writing transfers at that time; once they have all ended, no more transfers up
-- to the mark can appear.
CREATE TABLE ledger_seal (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    transfer_id bigint  NOT NULL DEFAULT 0,
    hash        bytea   NOT NULL DEFAULT '',
    mark        bigint  NOT NULL DEFAULT 0,
    writers     text[]  NOT NULL DEFAULT '{}'
);

-- End of the chain on each day. An operator publishes it where no one who can write to this database can
-- change it.
CREATE TABLE ledger_heads (
    day         date        PRIMARY KEY,
    transfer_id bigint      NOT NULL,
    hash        bytea       NOT NULL CHECK (octet_length(hash) = 32),
    at          timestamptz NOT NULL DEFAULT now()
);

-- ==== Games ================================================================================================

-- Finished games. rated: enough human players sat, and it counts for their ratings. bots_rated: it counts for
-- the ratings of the bot accounts. practice: played without chips and points. The records are in `hands`.
CREATE TABLE games (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id          bigint      NOT NULL REFERENCES tables (id),
    hand_no           integer     NOT NULL,
    room_id           text        REFERENCES rooms (id),
    variant           text        NOT NULL,
    params            text        NOT NULL,
    stake             bigint      NOT NULL,
    reward            bigint      NOT NULL,
    multiplier_tenths integer     NOT NULL,
    people_n          smallint    NOT NULL,
    rated             boolean     NOT NULL,
    practice          boolean     NOT NULL,
    bots_rated        boolean     NOT NULL DEFAULT false,
    ending            text        NOT NULL CHECK (ending IN ('out', 'no_cards', 'stalled', 'last')),
    moves_n           integer     NOT NULL,
    server_seed       bytea       NOT NULL,
    commit            bytea       NOT NULL,
    started_at        timestamptz NOT NULL,
    ended_at          timestamptz NOT NULL DEFAULT now(),
    UNIQUE (table_id, hand_no),
    CHECK (NOT (rated AND bots_rated))
);

-- player_id NULL: a bot. points: score at the table. game_points: for the place, opening, and discarded
-- cards. silver, gold: how this game changed the purses, the stake included. level_gold: rewards of the
-- levels gained. facts: what the table counted: opening (sum of the opening meld), swaps (jokers swapped),
-- buried, joker_out, and throws (per seat that drew next: how often it drew, and how often it took this
-- seat's discard). variant: copied from the game, so that a player's games of one variant are found without
-- reading the others. turns: of the seat; own_turns: those in which the player acted. took_part: the player
-- acted in enough of them and had not left (took_part in db/functions/settle); otherwise the game brings
-- them nothing; always true for bots. same_people: the player had met each of the others too often that day
-- (settle_meetings).
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
    facts         jsonb    NOT NULL DEFAULT '{}',
    variant       text     NOT NULL,
    turns         smallint CHECK (turns >= 0),
    own_turns     smallint CHECK (own_turns BETWEEN 0 AND turns),
    took_part     boolean  NOT NULL DEFAULT true,
    same_people   boolean  NOT NULL DEFAULT false,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX game_players_player ON game_players (player_id, game_id) WHERE player_id IS NOT NULL;
CREATE INDEX game_players_player_variant ON game_players (player_id, variant, game_id)
    WHERE player_id IS NOT NULL;

-- Plays of a deal; each player plays it once. score: the player's points, more is better; a player who left
-- the game scores below all others. void: an operator ended the table, or it is lost; the player saw the
-- cards and cannot play again.
CREATE TABLE deal_plays (
    deal_id    bigint      NOT NULL REFERENCES deals (id),
    player_id  bigint      NOT NULL REFERENCES players (id),
    table_id   bigint      NOT NULL UNIQUE REFERENCES tables (id),
    state      text        NOT NULL DEFAULT 'playing' CHECK (state IN ('playing', 'done', 'void')),
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz,
    game_id    bigint      REFERENCES games (id),
    points     integer,
    place      smallint,
    left_early boolean,
    score      integer,
    ranked     boolean     NOT NULL, -- by start time (daily_ranking); other plays are not ranked
    PRIMARY KEY (deal_id, player_id),
    CHECK ((state = 'playing') = (ended_at IS NULL)),
    CHECK ((state = 'done') = (score IS NOT NULL) AND (state = 'done') = (game_id IS NOT NULL)
           AND (state = 'done') = (points IS NOT NULL) AND (state = 'done') = (left_early IS NOT NULL))
);
CREATE INDEX deal_plays_running ON deal_plays (deal_id) WHERE state = 'playing';
CREATE INDEX deal_plays_board ON deal_plays (deal_id, score DESC, player_id) WHERE state = 'done';
CREATE INDEX deal_plays_player ON deal_plays (player_id);

-- Number of plays of a deal per score, so that places and percentiles need no scan of all plays.
CREATE TABLE deal_scores (
    deal_id bigint  NOT NULL REFERENCES deals (id),
    score   integer NOT NULL,
    plays_n integer NOT NULL CHECK (plays_n > 0),
    PRIMARY KEY (deal_id, score)
);

-- Deals of each day, one per variant. options: as for tables that players open, numbers only.
CREATE TABLE daily_variants (
    variant   text     PRIMARY KEY,
    position  smallint NOT NULL UNIQUE,
    seats_n   smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    options   jsonb    NOT NULL,
    bot_level smallint NOT NULL CHECK (bot_level BETWEEN 1 AND 3),
    best_high boolean  NOT NULL,
    open      boolean  NOT NULL DEFAULT true
);

-- UTC days. commit = SHA-256(seed), published from committed_at on. client_seed: made when the day opens,
-- from the seeds collected on the day before (daily_seeds), when collection closes.
CREATE TABLE daily_days (
    day          date        PRIMARY KEY,
    seed         bytea       NOT NULL CHECK (octet_length(seed) = 32),
    commit       bytea       NOT NULL CHECK (octet_length(commit) = 32),
    committed_at timestamptz NOT NULL DEFAULT now(),
    client_seed  bytea       CHECK (octet_length(client_seed) = 32),
    closed       boolean     NOT NULL DEFAULT false
);

-- Created when the first player starts it.
CREATE TABLE daily_deals (
    day     date   NOT NULL REFERENCES daily_days (day),
    variant text   NOT NULL,
    deal_id bigint NOT NULL UNIQUE REFERENCES deals (id),
    PRIMARY KEY (day, variant)
);

-- Seeds that players submitted for the next day's client seed. Public, and not linked to a player.
CREATE TABLE daily_seeds (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day  date   NOT NULL REFERENCES daily_days (day),
    seed bytea  NOT NULL CHECK (octet_length(seed) BETWEEN 16 AND 32)
);
CREATE INDEX daily_seeds_day ON daily_seeds (day, id);

-- Finished games other than practice. points: sum of game_points of the rated ones. places: how often first,
-- second, and so on. streak: rated wins in a row.
CREATE TABLE player_stats (
    player_id   bigint   NOT NULL REFERENCES players (id),
    variant     text     NOT NULL,
    games       bigint   NOT NULL DEFAULT 0,
    rated       bigint   NOT NULL DEFAULT 0,
    points      bigint   NOT NULL DEFAULT 0,
    wins        bigint   NOT NULL DEFAULT 0,
    opened      bigint   NOT NULL DEFAULT 0,
    rummies     bigint   NOT NULL DEFAULT 0,
    places      bigint[] NOT NULL DEFAULT '{0,0,0,0,0,0}',
    streak      bigint   NOT NULL DEFAULT 0,
    streak_best bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, variant)
);

-- A seat of a game being settled. clover NULL: the game gives none. level_points: progress towards the level
-- after `level`, the one that the game leads to. room_position: of the room, where games count for leagues.
-- rated: counts for this player's ratings; as a loss unless they took part.
CREATE TYPE settled_seat AS (
    table_id      bigint,
    game_id       bigint,
    seat          smallint,
    player_id     bigint,
    nickname      text,
    avatar        text,
    client_seed   bytea,
    place         smallint,
    points        integer,
    opened        boolean,
    cards_left    smallint,
    won           boolean,
    rummy         boolean,
    left_early    boolean,
    facts         jsonb,
    variant       text,
    room_position smallint,
    rated         boolean,
    practice      boolean,
    game_points   integer,
    clover        bigint,
    level         integer,
    level_points  bigint,
    levels_gained integer,
    level_gold    bigint,
    title         text,
    silver_cap    bigint,
    stake_silver  bigint,
    stake_gold    bigint,
    bots_rated    boolean,
    turns         smallint,
    own_turns     smallint,
    took_part     boolean,
    same_people   boolean
);

-- How much of its stake the seat pays, and how much it gains. pot: the other side is the other seats, not
-- the house. lost: silver of the gain that exceeds the purse's cap.
CREATE TYPE settled_chips AS (
    pot         boolean,
    silver      bigint,
    gold        bigint,
    gain_silver bigint,
    gain_gold   bigint,
    lost        bigint
);

-- Inputs for points and levels. level_from: Clover points needed for each level, starting with the first;
-- level_gold: cumulative rewards of all levels.
CREATE TYPE settle_numbers AS (
    points_max   bigint,
    opened       bigint,
    discarded    bigint,
    variant_most bigint,
    variant_span bigint,
    rummy        bigint,
    part_percent bigint,
    level_from   bigint[],
    level_gold   bigint[],
    level_title  text[],
    level_cap    bigint[]
);

-- ==== Days of players ======================================================================================

-- bonus_day: day of the last credited bonus. together_day: day of the last bonus credited in a bulk transfer
-- for several players; all up to it remain credited, even if bonus_day is set back. played_day: last day
-- with a finished game, and the end of a run of `streak` consecutive days.
CREATE TABLE player_days (
    player_id   bigint  PRIMARY KEY REFERENCES players (id),
    bonus_day   date    NOT NULL,
    together_day date,
    played_day  date,
    streak      integer NOT NULL DEFAULT 0 CHECK (streak >= 0),
    streak_best integer NOT NULL DEFAULT 0 CHECK (streak_best >= streak)
);
CREATE INDEX player_days_due ON player_days (bonus_day, player_id);

-- Number of solo games (started by a player alone with bots) per day, in the settings' time zone.
-- Yesterday's number can still decrease when a table is canceled.
CREATE TABLE solo_games (
    player_id bigint  NOT NULL REFERENCES players (id),
    day       date    NOT NULL,
    games     integer NOT NULL CHECK (games >= 0),
    PRIMARY KEY (player_id, day)
);
CREATE INDEX solo_games_day ON solo_games (day);

-- Number of games that two players finished together on the last day on which they met (settings' time
-- zone). Past days are removed, so the table remains small.
CREATE TABLE meetings (
    low_id  bigint  NOT NULL REFERENCES players (id),
    high_id bigint  NOT NULL REFERENCES players (id),
    day     date    NOT NULL,
    games   integer NOT NULL CHECK (games > 0),
    PRIMARY KEY (low_id, high_id),
    CHECK (low_id < high_id)
) WITH (fillfactor = 80);

-- ==== Puzzles ==============================================================================================

-- Turns of finished games in which one choice is better than all others (docs/puzzles.md). The solution is
-- revealed only to players who have tried, so the server reads these tables through functions only.

-- Glicko-2 rating on its public scale.
CREATE TYPE glicko AS (rating double precision, rd double precision, volatility double precision);

-- position: a record of a set-up hand whose hidden cards are sampled (docs/records.md). options: possible
-- choices, in an order that reveals nothing. choices: {choice, worth, error} for each, best first. origin:
-- 'starter' came with the program, 'game' was found in game_id. hand_no, turn_no, move_no: where in the game.
-- reserved: puzzle of a future day, not available before.
CREATE TABLE puzzles (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    variant      text        NOT NULL,
    players_n    smallint    NOT NULL CHECK (players_n BETWEEN 2 AND 6),
    seat         smallint    NOT NULL CHECK (seat >= 0 AND seat < players_n),
    theme        text        NOT NULL CHECK (theme IN ('discard', 'draw', 'open', 'declare')),
    tags         text[]      NOT NULL,
    position     text        NOT NULL,
    options      text[]      NOT NULL CHECK (cardinality(options) >= 2),
    choices      jsonb       NOT NULL CHECK (jsonb_array_length(choices) = cardinality(options)),
    answer       text        NOT NULL CHECK (answer = ANY (options)),
    origin       text        NOT NULL CHECK (origin IN ('starter', 'game')),
    game_id      bigint      REFERENCES games (id),
    hand_no      integer     CHECK (hand_no > 0),
    turn_no      integer     CHECK (turn_no > 0),
    move_no      integer     CHECK (move_no >= 0),
    rating       double precision NOT NULL DEFAULT 1500,
    rd           double precision NOT NULL DEFAULT 350 CHECK (rd > 0),
    volatility   double precision NOT NULL DEFAULT 0.06 CHECK (volatility > 0),
    tries_n      bigint      NOT NULL DEFAULT 0,
    solved_n     bigint      NOT NULL DEFAULT 0 CHECK (solved_n BETWEEN 0 AND tries_n),
    reserved     boolean     NOT NULL,
    deals_n      integer     NOT NULL CHECK (deals_n > 0), -- samples used to confirm it
    made_at      timestamptz NOT NULL DEFAULT now(),
    checked_at   timestamptz, -- evaluated again in ten times as many deals
    withdrawn_at timestamptz, -- that evaluation disagreed
    CHECK ((origin = 'game') = (game_id IS NOT NULL)),
    CHECK ((game_id IS NULL) = (hand_no IS NULL) AND (game_id IS NULL) = (turn_no IS NULL)
           AND (game_id IS NULL) = (move_no IS NULL))
);
CREATE UNIQUE INDEX puzzles_position ON puzzles (md5(position));
CREATE UNIQUE INDEX puzzles_moment ON puzzles (game_id, hand_no, turn_no, move_no) WHERE game_id IS NOT NULL;
CREATE INDEX puzzles_rating ON puzzles (rating, id) WHERE withdrawn_at IS NULL;
CREATE INDEX puzzles_unchecked ON puzzles (id) WHERE checked_at IS NULL AND withdrawn_at IS NULL;

-- The puzzle of each day (UTC), the same for all players.
CREATE TABLE puzzle_days (
    day       date   PRIMARY KEY,
    puzzle_id bigint NOT NULL REFERENCES puzzles (id)
);
CREATE INDEX puzzle_days_puzzle ON puzzle_days (puzzle_id);

-- streak: consecutive days, the last of them streak_day, on which the player tried the daily puzzle.
CREATE TABLE puzzle_players (
    player_id   bigint  PRIMARY KEY REFERENCES players (id),
    rating      double precision NOT NULL DEFAULT 1500,
    rd          double precision NOT NULL DEFAULT 350 CHECK (rd > 0),
    volatility  double precision NOT NULL DEFAULT 0.06 CHECK (volatility > 0),
    tried_n     bigint  NOT NULL DEFAULT 0,
    solved_n    bigint  NOT NULL DEFAULT 0 CHECK (solved_n BETWEEN 0 AND tried_n),
    streak      integer NOT NULL DEFAULT 0 CHECK (streak >= 0),
    streak_best integer NOT NULL DEFAULT 0 CHECK (streak_best >= streak),
    streak_day  date
);

-- One row per player and puzzle, with the player's answer. streak: NULL unless it was the daily puzzle.
CREATE TABLE puzzle_tries (
    player_id     bigint      NOT NULL REFERENCES players (id),
    puzzle_id     bigint      NOT NULL REFERENCES puzzles (id),
    at            timestamptz NOT NULL DEFAULT now(),
    choice        text        NOT NULL,
    solved        boolean     NOT NULL,
    rating_before integer     NOT NULL,
    rating        integer     NOT NULL,
    puzzle_rating integer     NOT NULL,
    streak        integer     CHECK (streak > 0),
    streak_best   integer     CHECK (streak_best >= streak),
    PRIMARY KEY (player_id, puzzle_id)
);
CREATE INDEX puzzle_tries_puzzle ON puzzle_tries (puzzle_id);

-- How far games were searched, and by which job. Only one job searches at a time; each game renews its lease.
CREATE TABLE puzzle_mining (
    only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    game_id    bigint      NOT NULL DEFAULT 0, -- last game searched or skipped
    holder     bigint,
    held_until timestamptz
);

-- Games that were skipped because other tables have yet to play their deal.
CREATE TABLE puzzle_games_due (game_id bigint PRIMARY KEY REFERENCES games (id));

-- ==== Boards ===============================================================================================

-- Leaderboards: rating, Clover points, wins, and rummies, of all time and per month, for each variant;
-- monthly prizes. Only rated games count. Bot accounts have separate boards for rating and wins. The boards
-- follow the rows of `ratings`, which can be rebuilt from the games alone.

-- bot: a bot account, from games that are bots_rated; otherwise from rated games. period: 'all', or a
-- calendar month 'YYYY-MM' in the settings' time zone. games: those in which the player took part. lost:
-- games without taking part, since the first in which they did; they count as games without points.
CREATE TABLE ratings (
    player_id bigint  NOT NULL REFERENCES players (id),
    variant   text    NOT NULL,
    period    text    NOT NULL CHECK (period = 'all' OR period ~ '^[0-9]{4}-[0-9]{2}$'),
    games     bigint  NOT NULL CHECK (games > 0),
    points    bigint  NOT NULL CHECK (points >= 0),
    wins      bigint  NOT NULL,
    rummies   bigint  NOT NULL,
    rating    integer NOT NULL,
    clover    bigint  NOT NULL DEFAULT 0 CHECK (clover >= 0),
    bot       boolean NOT NULL DEFAULT false,
    lost      bigint  NOT NULL DEFAULT 0 CHECK (lost >= 0),
    PRIMARY KEY (player_id, variant, period)
);

-- Variants with leaderboards.
CREATE TABLE ranked_variants (variant text PRIMARY KEY);

-- An ordered list of players of any size: a leaderboard, or the table of a league. Any player's place and any
-- page come from maintained counts instead of a scan, and a place is exact at every moment; all games
-- together contend for no single row. A board is cut into pieces, and these into parts: board_tops has the
-- number of entries above each piece, board_pieces the cumulative counts of its parts, board_moves the
-- changes since these were last summed. period: 'all', a month 'YYYY-MM', or for a league
-- '<season>:<position>'.
CREATE TABLE boards (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind    text    NOT NULL CHECK (kind IN ('rating', 'clover', 'wins', 'rummies', 'league', 'bot_rating',
                                           'bot_wins')),
    variant text    NOT NULL,
    period  text    NOT NULL,
    UNIQUE (kind, variant, period)
);

-- Higher scores first; among equal ones, the older account. A score may hold tie-breaks in its low bits. A
-- score is read from the index on players alone. Keeping scores in that index costs nothing extra, because
-- each update adds entries to all indexes of the table anyway. No foreign keys: the rows from which these
-- are derived have them.
CREATE TABLE board_entries (
    board_id  integer NOT NULL,
    player_id bigint  NOT NULL,
    score     bigint  NOT NULL,
    PRIMARY KEY (board_id, player_id) INCLUDE (score)
);
CREATE INDEX board_entries_order ON board_entries (board_id, score, (-player_id)) INCLUDE (player_id);

-- A piece spans from the place (score, tie) up to the next piece. scores, ties: where its parts begin,
-- ascending; the first begins where the piece does. reach: number of entries from there to the end of the
-- piece, without those in board_moves.
CREATE TABLE board_pieces (
    board_id integer   NOT NULL REFERENCES boards (id),
    score    bigint    NOT NULL,
    tie      bigint    NOT NULL,
    scores   bigint[]  NOT NULL,
    ties     bigint[]  NOT NULL,
    reach    integer[] NOT NULL,
    PRIMARY KEY (board_id, score, tie)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE board_pieces
    ALTER scores SET STORAGE PLAIN, ALTER ties SET STORAGE PLAIN, ALTER reach SET STORAGE PLAIN;

-- Where the pieces of a board begin, ascending, and the number of entries above each. The first begins below
-- all places.
CREATE TABLE board_tops (
    board_id integer  PRIMARY KEY REFERENCES boards (id) ON DELETE CASCADE,
    scores   bigint[] NOT NULL,
    ties     bigint[] NOT NULL,
    above    bigint[] NOT NULL
) WITH (autovacuum_vacuum_threshold = 500);
ALTER TABLE board_tops
    ALTER scores SET STORAGE EXTERNAL, ALTER ties SET STORAGE EXTERNAL, ALTER above SET STORAGE EXTERNAL;

-- Entries added at a place of a board (1) or removed from it (-1) since its pieces were last summed.
CREATE TABLE board_moves (
    board_id integer  NOT NULL,
    score    bigint   NOT NULL,
    tie      bigint   NOT NULL,
    change   smallint NOT NULL CHECK (change IN (-1, 1))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX board_moves_order ON board_moves (board_id, score, tie) INCLUDE (change);

-- Prizes by place on a monthly leaderboard. Bot accounts have no chips.
CREATE TABLE month_prizes (
    variant text     NOT NULL,
    kind    text     NOT NULL CHECK (kind IN ('rating', 'clover', 'wins', 'rummies')),
    place   smallint NOT NULL CHECK (place > 0),
    gold    bigint   NOT NULL CHECK (gold > 0),
    PRIMARY KEY (variant, kind, place)
);

-- Months whose prizes have been paid.
CREATE TABLE month_closings (
    period    text        PRIMARY KEY,
    closed_at timestamptz NOT NULL DEFAULT now()
);

-- Winners of those prizes.
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

-- ==== Leagues ==============================================================================================

-- position orders leagues as it does rooms: league k counts games of room k and higher, and a player promoted
-- to it gets that room unlocked. *_rating: by rating; *_places: fixed numbers of players with enough games.
-- opens_players: the league remains closed until this many players of the league below have the title that
-- this league's room requires; once open, it remains open.
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

-- Prizes by place in a league's season.
CREATE TABLE league_prizes (
    league_id text     NOT NULL REFERENCES leagues (id),
    place     smallint NOT NULL CHECK (place > 0),
    gold      bigint   NOT NULL CHECK (gold >= 0),
    PRIMARY KEY (league_id, place)
);

-- Where a league's table is cut at the end of a season. ranked: players with enough games. *_places: number
-- of players promoted and relegated by place; NULL: the league does not use places. promote_to: last place
-- from which players who have the next room are promoted. relegate_from: first place from which players who
-- are not promoted are relegated. open: whether the next league is open.
CREATE TYPE league_cuts AS (
    ranked          bigint,
    promote_places  bigint,
    promote_to      bigint,
    relegate_places bigint,
    relegate_from   bigint,
    open            boolean
);

-- coming: its games are counted, but the leagues of players are unknown until the previous season has ended.
-- opening: they are known, and the tables are being made. open: the current season. closing: the season is
-- being closed step by step and counts no more games. step and the columns after it hold the progress.
CREATE TABLE seasons (
    no          integer     PRIMARY KEY CHECK (no > 0),
    starts_at   timestamptz NOT NULL,
    ends_at     timestamptz NOT NULL CHECK (ends_at > starts_at),
    state       text        NOT NULL DEFAULT 'coming'
                            CHECK (state IN ('coming', 'opening', 'open', 'closing', 'ended')),
    step        text        NOT NULL DEFAULT '' CHECK (step IN ('', 'rank', 'absent', 'prizes', 'finish')),
    at_position smallint,
    at_place    bigint      NOT NULL DEFAULT 0,
    at_score    bigint,
    at_player   bigint      NOT NULL DEFAULT 0,
    cuts        league_cuts -- of the current league
);
CREATE UNIQUE INDEX seasons_running ON seasons ((true)) WHERE state IN ('opening', 'open', 'closing');

-- Current league of each player.
CREATE TABLE league_members (
    player_id bigint   PRIMARY KEY REFERENCES players (id),
    position  smallint NOT NULL,
    since     integer  NOT NULL -- season from which it applies
) WITH (fillfactor = 80);

-- The player's row in the table of their league, in a running or past season; counts only the games that
-- counted there.
CREATE TABLE league_rows (
    season_no integer  NOT NULL,
    player_id bigint   NOT NULL,
    position  smallint NOT NULL,
    games     bigint   NOT NULL,
    points    bigint   NOT NULL,
    wins      bigint   NOT NULL,
    rating    integer  NOT NULL,
    PRIMARY KEY (season_no, player_id)
) PARTITION BY RANGE (season_no);
CREATE TABLE league_rows_default PARTITION OF league_rows DEFAULT;

-- Games played, per room: the source from which all league tables are made.
CREATE TABLE league_games (
    season_no     integer  NOT NULL REFERENCES seasons (no),
    player_id     bigint   NOT NULL REFERENCES players (id),
    room_position smallint NOT NULL,
    games         bigint   NOT NULL CHECK (games > 0),
    points        bigint   NOT NULL CHECK (points >= 0),
    wins          bigint   NOT NULL CHECK (wins >= 0),
    lost          bigint   NOT NULL DEFAULT 0 CHECK (lost >= 0), -- as in ratings
    PRIMARY KEY (season_no, player_id, room_position)
) PARTITION BY RANGE (season_no);
CREATE TABLE league_games_default PARTITION OF league_games DEFAULT;

-- What a season's end meant for a player. place: in their league, players with enough games first; NULL
-- without a counted game. to_position: where they play next; NULL: in none until they play again. rule: the
-- number or the league that decided the reason, by the rules of that day. Written a million at a time, so
-- without foreign keys, which cost a lookup per row.
CREATE TABLE season_results (
    season_no   integer  NOT NULL,
    player_id   bigint   NOT NULL,
    position    smallint NOT NULL,
    place       bigint,
    games       bigint   NOT NULL,
    rating      integer,
    to_position smallint,
    reason      text     NOT NULL
                         CHECK (reason IN ('inactive', 'too_few_games', 'relegated', 'promoted',
                                           'room_locked', 'league_closed', 'stays')),
    rule        jsonb    NOT NULL DEFAULT '{}',
    prize_gold  bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, season_no)
) PARTITION BY RANGE (season_no);
-- The few places that bring prizes.
CREATE INDEX season_results_first ON season_results (season_no, place) WHERE place <= 100;
CREATE TABLE season_results_default PARTITION OF season_results DEFAULT;

-- ==== Achievements =========================================================================================

-- Earned when the counter reaches the goal. wins and win_streak count rated games only. The page builds the
-- description from the counter and the goal, in each language.
CREATE TABLE achievements (
    id       text     PRIMARY KEY,
    position smallint NOT NULL UNIQUE,
    gold     bigint   NOT NULL CHECK (gold >= 0),
    counter  text     NOT NULL,
    goal     bigint   NOT NULL CHECK (goal > 0)
);

-- Achievements that players have earned, and the gold paid on that day.
CREATE TABLE player_achievements (
    player_id      bigint      NOT NULL REFERENCES players (id),
    achievement_id text        NOT NULL REFERENCES achievements (id),
    gold           bigint      NOT NULL DEFAULT 0 CHECK (gold >= 0),
    earned_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, achievement_id)
);

-- Just earned; to be paid and announced.
CREATE TYPE earned_achievement AS (player_id bigint, id text, counter text, goal bigint, gold bigint);

-- Progress of each player.
CREATE TABLE player_counters (
    player_id bigint NOT NULL REFERENCES players (id),
    counter   text   NOT NULL,
    n         bigint NOT NULL,
    PRIMARY KEY (player_id, counter)
);

-- Counts for players whose row lock is not held; do_counts_due processes a few at a time. No foreign key:
-- the end of a season creates these from rows that have one, and each check would cost more than the row
-- itself.
CREATE TABLE counts_due (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint      NOT NULL,
    counter   text        NOT NULL,
    n         bigint      NOT NULL,
    at        timestamptz NOT NULL DEFAULT now()
);

-- ==== Weekly quests ========================================================================================

-- Pool of weekly quests: one per slot, the same for all players (quests_of). They count the same things as
-- achievements, in games of one variant or (NULL) of any, from the week's first midnight on. on_offer:
-- false: the quest is no longer chosen.
CREATE TABLE quests (
    id       text     PRIMARY KEY,
    slot     smallint NOT NULL CHECK (slot BETWEEN 1 AND 9),
    counter  text     NOT NULL,
    variant  text,
    goal     bigint   NOT NULL CHECK (goal > 0),
    gold     bigint   NOT NULL CHECK (gold >= 0),
    on_offer boolean  NOT NULL DEFAULT true
);

-- A player's progress with a quest in the week that began on a Monday; done_at: when it was completed;
-- gold: what it paid. Incomplete quests lapse with the week.
CREATE TABLE quest_progress (
    player_id bigint NOT NULL REFERENCES players (id),
    week      date   NOT NULL CHECK (extract(isodow FROM week) = 1),
    quest_id  text   NOT NULL REFERENCES quests (id),
    n         bigint NOT NULL CHECK (n > 0),
    gold      bigint NOT NULL DEFAULT 0 CHECK (gold >= 0),
    done_at   timestamptz,
    PRIMARY KEY (player_id, week, quest_id),
    CHECK (done_at IS NOT NULL OR gold = 0)
);
CREATE INDEX quest_progress_open ON quest_progress (week) WHERE done_at IS NULL;

-- Just completed; to be paid and announced.
CREATE TYPE done_quest AS (player_id bigint, week date, id text, counter text, variant text, goal bigint,
                           gold bigint);

-- ==== Administration =======================================================================================

-- Keys of operators and of their programs. A key is shown once, when it is created; only its hash is stored.
-- admin_rights lists what a role permits; scopes (area:read, area:write) restrict that, NULL: no restriction.
-- holder: person or program that uses it, because two keys of one person do not make two approvers. prefix:
-- first characters, by which its holder recognizes it. After a rotation the previous key is valid until
-- old_until.
CREATE TABLE api_keys (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE CHECK (char_length(name) BETWEEN 1 AND 64),
    role       text        NOT NULL CHECK (role IN ('jobs', 'support', 'money', 'games', 'owner')),
    holder     text        NOT NULL CHECK (char_length(holder) BETWEEN 1 AND 64),
    scopes     text[]      CHECK (cardinality(scopes) BETWEEN 1 AND 32),
    key_hash   bytea       NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
    prefix     text        NOT NULL CHECK (char_length(prefix) = 9),
    old_hash   bytea       UNIQUE CHECK (octet_length(old_hash) = 32),
    old_until  timestamptz CHECK ((old_until IS NULL) = (old_hash IS NULL)),
    made_by    bigint      REFERENCES api_keys (id), -- NULL: at the console
    created_at timestamptz NOT NULL DEFAULT now(),
    rotated_at timestamptz,
    expires_at timestamptz CHECK (expires_at IS NOT NULL OR role = 'jobs'),
    revoked_at timestamptz
);

-- Audit log of administrators; never changed. key_id NULL: at the console. code: the result ('ok', or the
-- reason for the refusal).
CREATE TABLE audit (
    id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    key_id bigint      REFERENCES api_keys (id),
    action text        NOT NULL,
    detail jsonb       NOT NULL DEFAULT '{}',
    code   text        NOT NULL
);
CREATE INDEX audit_key ON audit (key_id, id DESC);
CREATE INDEX audit_action ON audit (action, id DESC);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_player ON audit ((detail->>'player'), id DESC) WHERE detail->>'player' IS NOT NULL;
CREATE INDEX audit_tournament ON audit ((detail->>'tournament'))
    WHERE action IN ('make_tournament', 'cancel_tournament');

-- First replies by API key and idempotency key; kept as long as those of players. An operator's action is one
-- transaction: role, repeat check, action, audit row, stored reply. Wherever the server is killed, the action
-- happens once or not at all.
CREATE TABLE admin_answers (
    key_id    bigint      NOT NULL REFERENCES api_keys (id),
    idem_key  text        NOT NULL CHECK (char_length(idem_key) BETWEEN 1 AND 64),
    body_hash bytea       NOT NULL,
    answer    jsonb       NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key_id, idem_key)
);
CREATE INDEX admin_answers_at ON admin_answers (at);

-- A call between admin_begin and admin_end. answer: present if the call is a repeat ({"code": …, "body":
-- …}).
CREATE TYPE admin_call AS (
    key_id    bigint,
    action    text,
    detail    jsonb,
    idem_key  text,
    body_hash bytea,
    answer    jsonb
);

-- Operators' notes about players, and measures taken. The client displays them as sentences.
CREATE TABLE player_notes (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint      NOT NULL REFERENCES players (id),
    key_id    bigint      NOT NULL REFERENCES api_keys (id),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    text      text        NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500), -- written by the operator
    about     text        NOT NULL DEFAULT 'note'
                          CHECK (about IN ('note', 'ban', 'unban', 'mute', 'unmute', 'separate', 'reunite',
                                           'delete', 'keep', 'factor_off', 'rename', 'end_sessions')),
    hours     bigint      CHECK ((hours IS NOT NULL) = (about = 'mute')),
    other_id  bigint      REFERENCES players (id)
                          CHECK ((other_id IS NOT NULL) = (about IN ('separate', 'reunite')))
);
CREATE INDEX player_notes_player ON player_notes (player_id, id DESC);

-- Chips that operators give (amount above 0) or take. A pending grant needs a second person's approval; it
-- lapses after grant_days. note: written by the operator. over_cap: silver that exceeded the purse's cap.
CREATE TABLE chip_grants (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT now(),
    player_id  bigint      NOT NULL REFERENCES players (id),
    key_id     bigint      NOT NULL REFERENCES api_keys (id),
    currency   text        NOT NULL CHECK (currency IN ('silver', 'gold')),
    amount     bigint      NOT NULL CHECK (amount <> 0 AND abs(amount) <= 1000000),
    reason     text        NOT NULL CHECK (reason IN ('goodwill', 'compensation', 'prize', 'correction')),
    note       text        NOT NULL CHECK (char_length(note) BETWEEN 1 AND 200),
    state      text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'refused')),
    settled_at timestamptz CHECK ((settled_at IS NULL) = (state = 'waiting')),
    settled_by bigint      REFERENCES api_keys (id) CHECK ((settled_by IS NULL) = (state = 'waiting')),
    over_cap   bigint      NOT NULL DEFAULT 0 CHECK (over_cap >= 0)
);
CREATE INDEX chip_grants_player ON chip_grants (player_id, id);
CREATE INDEX chip_grants_waiting ON chip_grants (id) WHERE state = 'waiting';
CREATE INDEX chip_grants_key ON chip_grants (key_id, at);

-- How often the strong bots take the previous player's discard, by variant and number of seats: measured by
-- `rummyd throw-rates` for the collusion report.
CREATE TABLE throw_rates (
    variant text     NOT NULL,
    seats_n smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    chances bigint   NOT NULL CHECK (chances > 0),
    taken   bigint   NOT NULL CHECK (taken BETWEEN 0 AND chances),
    PRIMARY KEY (variant, seats_n)
);

-- Two players whom an operator keeps apart at tables, as the result of a collusion report. It does not
-- matter which of them joins later.
CREATE TABLE separations (
    low_id  bigint      NOT NULL REFERENCES players (id),
    high_id bigint      NOT NULL REFERENCES players (id),
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (low_id, high_id),
    CHECK (low_id < high_id)
);

-- ==== Social ===============================================================================================

-- from_id sent a request to to_id; they are friends once accepted_at is set (one row for both). Friendship is
-- read from the indexes alone, because the rows of 500 friendships are spread over as many pages.
CREATE TABLE friends (
    from_id     bigint      NOT NULL REFERENCES players (id),
    to_id       bigint      NOT NULL REFERENCES players (id),
    asked_at    timestamptz NOT NULL DEFAULT now(),
    accepted_at timestamptz,
    PRIMARY KEY (from_id, to_id) INCLUDE (accepted_at),
    CHECK (from_id <> to_id)
);
CREATE UNIQUE INDEX friends_pair ON friends (least(from_id, to_id), greatest(from_id, to_id));
CREATE INDEX friends_to ON friends (to_id) INCLUDE (from_id, accepted_at);

-- player_id does not receive chat of other_id (muted), or is never seated with them (blocked).
CREATE TABLE player_blocks (
    player_id bigint      NOT NULL REFERENCES players (id),
    other_id  bigint      NOT NULL REFERENCES players (id),
    muted     boolean     NOT NULL DEFAULT false,
    blocked   boolean     NOT NULL DEFAULT false,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, other_id),
    CHECK (player_id <> other_id),
    CHECK (muted OR blocked)
);
CREATE INDEX player_blocks_other ON player_blocks (other_id);

-- Players' reports about each other, processed by operators: oldest first, each closed once, with a note.
-- They concern a table, a club, or a club message (line_id). A message may have been deleted since, so said
-- holds the reported text, and reported_id its author.
CREATE TABLE reports (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reporter_id bigint      NOT NULL REFERENCES players (id),
    reported_id bigint      NOT NULL REFERENCES players (id),
    table_id    bigint      REFERENCES tables (id),
    reason      text        NOT NULL
                            CHECK (reason IN ('insult', 'cheating', 'stalling', 'nickname', 'other',
                                              'club_name', 'about')),
    text        text        NOT NULL DEFAULT '' CHECK (char_length(text) <= 500),
    state       text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
    at          timestamptz NOT NULL DEFAULT now(),
    closed_at   timestamptz,
    closed_by   bigint      REFERENCES api_keys (id),
    note        text        CHECK (char_length(note) BETWEEN 1 AND 200),
    club_id     bigint,
    said        text        NOT NULL DEFAULT '' CHECK (char_length(said) <= 640),
    line_id     bigint,
    CHECK ((table_id IS NULL) <> (club_id IS NULL)),
    CHECK (line_id IS NULL OR club_id IS NOT NULL),
    UNIQUE (reporter_id, reported_id, table_id),
    CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
    CHECK ((closed_at IS NULL) = (closed_by IS NULL) AND (closed_at IS NULL) = (note IS NULL))
);
CREATE INDEX reports_open ON reports (id) WHERE state = 'open';
CREATE INDEX reports_reported ON reports (reported_id);
CREATE UNIQUE INDEX reports_of_club ON reports (club_id, reporter_id, coalesce(line_id, 0))
    WHERE club_id IS NOT NULL AND state = 'open';

-- Invitation code of each player.
CREATE TABLE invite_codes (
    player_id bigint PRIMARY KEY REFERENCES players (id),
    code      text   NOT NULL UNIQUE
);

-- state: open until the invited player is confirmed and took part in enough rated games with enough other
-- players. Then paid; or over (the inviter has reached the maximum number of paid invitations, or is at the
-- end of a long chain of them), in which case only the invited player is paid. owed: gold due for an
-- invitation, entered when it is counted and cleared when it is paid.
CREATE TABLE invites (
    invited_id bigint      PRIMARY KEY REFERENCES players (id),
    inviter_id bigint      NOT NULL REFERENCES players (id),
    at         timestamptz NOT NULL DEFAULT now(),
    state      text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'over')),
    owed       boolean     NOT NULL DEFAULT false,
    CHECK (invited_id <> inviter_id)
);
CREATE INDEX invites_inviter ON invites (inviter_id);
CREATE INDEX invites_owed ON invites (inviter_id, invited_id) WHERE owed;

-- Open invitations whose player is confirmed and has played enough games: checked then, not on each read.
CREATE TABLE invites_due (
    invited_id bigint PRIMARY KEY REFERENCES invites (invited_id)
);

-- Notifications of players: one row each, read or unread. kind determines the fields of data; the page
-- composes the text from them.
CREATE SEQUENCE notifications_id;
CREATE TABLE notifications (
    id        bigint      NOT NULL DEFAULT nextval('notifications_id'),
    player_id bigint      NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    kind      text        NOT NULL
                          CHECK (kind IN ('level', 'season', 'league_prize', 'month_prize', 'achievement',
                                          'invite', 'friend', 'table_invite', 'your_turn', 'refund',
                                          'export', 'tournament_table', 'tournament_result',
                                          'tournament_cancelled', 'quest', 'club', 'invited', 'week')),
    data      jsonb       NOT NULL,
    read_at   timestamptz,
    PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
ALTER SEQUENCE notifications_id OWNED BY notifications.id;
CREATE INDEX notifications_player ON notifications (player_id, id DESC);
CREATE TABLE notifications_default PARTITION OF notifications DEFAULT;

-- Weeks (by their Mondays) about which players are notified. Players up to the id `after` have been;
-- done_at: when all had been.
CREATE TABLE week_notices (
    week    date        PRIMARY KEY CHECK (extract(isodow FROM week) = 1),
    after   bigint      NOT NULL DEFAULT 0,
    done_at timestamptz
);

-- ==== Clubs ================================================================================================

-- Groups of players with a name. name_folded: unique. joining: any player becomes a member at once (open), or
-- after the owner's approval (ask). members_n: without pending requests.
CREATE TABLE clubs (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
    name_folded text        COLLATE "C" NOT NULL UNIQUE,
    about       text        NOT NULL DEFAULT '' CHECK (char_length(about) <= 500),
    joining     text        NOT NULL DEFAULT 'ask' CHECK (joining IN ('open', 'ask')),
    members_n   integer     NOT NULL DEFAULT 0 CHECK (members_n >= 0),
    created_at  timestamptz NOT NULL DEFAULT now()
);

-- role asks: has requested membership, but is not a member yet. at: start of the current role.
CREATE TABLE club_members (
    club_id   bigint      NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id bigint      NOT NULL REFERENCES players (id),
    role      text        NOT NULL CHECK (role IN ('owner', 'member', 'asks')),
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_members_player ON club_members (player_id, club_id);
CREATE UNIQUE INDEX club_members_owner ON club_members (club_id) WHERE role = 'owner';

-- Messages of members to their club: the last club_chat_max of club_chat_days. text: '' once deleted; such a
-- row still counts for the author's rate limit, and is shown to no one.
CREATE TABLE club_chat (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    club_id   bigint      NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id bigint      NOT NULL REFERENCES players (id),
    text      text        NOT NULL CHECK (char_length(text) <= 200),
    at        timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX club_chat_club ON club_chat (club_id, id);
CREATE INDEX club_chat_player ON club_chat (player_id, id);
CREATE INDEX club_chat_at ON club_chat (at);

-- ==== Leaving ==============================================================================================

-- Accounts with a pending or completed deletion (docs/operations.md lists what happens to which data).
-- key_id: operator who requested it on the person's behalf; NULL: the player did. due_at: personal data is
-- erased then, unless the request is withdrawn, which deletes the row. no: number shown instead of the name.
-- erased_at: anonymous since then; at_table and done_at: progress of removing the name from games, records,
-- and chat.
CREATE SEQUENCE deletions_no;
CREATE TABLE deletions (
    player_id   bigint      PRIMARY KEY REFERENCES players (id),
    asked_at    timestamptz NOT NULL DEFAULT now(),
    due_at      timestamptz NOT NULL,
    key_id      bigint      REFERENCES api_keys (id),
    reminded_at timestamptz,
    no          bigint      UNIQUE,
    erased_at   timestamptz,
    at_table    bigint      NOT NULL DEFAULT 0,
    done_at     timestamptz,
    CHECK ((no IS NULL) = (erased_at IS NULL)),
    CHECK (done_at IS NULL OR erased_at IS NOT NULL)
);
ALTER SEQUENCE deletions_no OWNED BY deletions.no;
CREATE INDEX deletions_due ON deletions (due_at) WHERE erased_at IS NULL;
CREATE INDEX deletions_running ON deletions (player_id) WHERE erased_at IS NOT NULL AND done_at IS NULL;

-- Export of a player's own data in one file (docs/export.md), built part by part (export_step) and deleted
-- after expires_at. section, after_id: position of the next row to write. ready_at NULL: in progress.
CREATE TABLE exports (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES players (id),
    asked_at   timestamptz NOT NULL DEFAULT now(),
    section    smallint    NOT NULL DEFAULT 0,
    after_id   bigint      NOT NULL DEFAULT 0,
    parts_n    integer     NOT NULL DEFAULT 0,
    lines_n    bigint      NOT NULL DEFAULT 0,
    bytes      bigint      NOT NULL DEFAULT 0,
    stepped_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ready_at   timestamptz,
    expires_at timestamptz,
    CHECK ((ready_at IS NULL) = (expires_at IS NULL))
);
CREATE UNIQUE INDEX exports_making ON exports (player_id) WHERE ready_at IS NULL;
CREATE INDEX exports_player ON exports (player_id, id);
CREATE INDEX exports_next ON exports (stepped_at, id) WHERE ready_at IS NULL;
CREATE INDEX exports_expires ON exports (expires_at) WHERE expires_at IS NOT NULL;

-- The parts of the file, numbered from 1; each consists of whole lines.
CREATE TABLE export_parts (
    export_id bigint  NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
    part      integer NOT NULL CHECK (part > 0),
    text      text    NOT NULL,
    PRIMARY KEY (export_id, part)
);

-- ==== Shop =================================================================================================

-- Packs of gold for money. An order is a state machine stored here. Gold is credited once per paid order,
-- and taken back with the money, in whatever order these events arrive (docs/shop.md).

-- Prices are in the smallest unit of the currency (cents). An order keeps the price it was created with.
CREATE TABLE shop_packs (
    id          text     PRIMARY KEY CHECK (id ~ '^[a-z0-9_]{1,32}$'),
    position    smallint NOT NULL UNIQUE,
    name        text     NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    gold        bigint   NOT NULL CHECK (gold BETWEEN 1 AND 1000000),
    price_minor bigint   NOT NULL CHECK (price_minor BETWEEN 1 AND 100000000),
    currency    text     NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    on_sale     boolean  NOT NULL DEFAULT true
);

-- Product ids of a store, and the packs they buy. Maintained by operators.
CREATE TABLE shop_products (
    store   text NOT NULL CHECK (store IN ('apple', 'google')),
    product text NOT NULL CHECK (product ~ '^[A-Za-z0-9_.]{1,128}$'),
    pack_id text NOT NULL REFERENCES shop_packs (id),
    PRIMARY KEY (store, product)
);

-- Permitted state transitions of an order. created: stored, but not sent to the provider yet. pending: the
-- provider has it, and the buyer can pay.
CREATE TABLE shop_transitions (
    from_state text NOT NULL,
    to_state   text NOT NULL,
    PRIMARY KEY (from_state, to_state)
);

-- token: external name of the order, unique across databases. expires_at: the buyer can pay until then.
-- product: what was bought at a store, which took the money before there was an order; delivered_at: when
-- that store was notified of the delivery. payment_ref, paid_minor: the payment that bought the gold, and the
-- amount: less than the price with a coupon, 0 with one of 100%. refunded_minor: money refunded from that
-- payment. gold_back: gold taken back; gold_short: gold that is missing.
CREATE TABLE shop_orders (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token          uuid        NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    player_id      bigint      NOT NULL REFERENCES players (id),
    idem_key       text        NOT NULL,
    body_hash      bytea       NOT NULL,
    pack_id        text        NOT NULL REFERENCES shop_packs (id),
    gold           bigint      NOT NULL CHECK (gold > 0),
    price_minor    bigint      NOT NULL CHECK (price_minor > 0),
    currency       text        NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    provider       text        NOT NULL CHECK (provider ~ '^[a-z]{1,16}$'),
    state          text        NOT NULL DEFAULT 'created'
                               CHECK (state IN ('created', 'pending', 'paid', 'failed', 'expired',
                                                'refunding', 'refunded', 'disputed', 'charged_back')),
    product        text,
    provider_ref   text        CHECK (char_length(provider_ref) BETWEEN 1 AND 512),
    pay_url        text        CHECK (char_length(pay_url) BETWEEN 1 AND 2000),
    payment_ref    text        CHECK (char_length(payment_ref) BETWEEN 1 AND 200),
    why            text        NOT NULL DEFAULT ''
                               CHECK (why IN ('', 'refused', 'never_opened', 'unknown', 'failed', 'expired',
                                              'amount_differs')),
    paid_minor     bigint      CHECK (paid_minor >= 0),
    refunded_minor bigint      NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
    gold_back      bigint      NOT NULL DEFAULT 0 CHECK (gold_back >= 0),
    gold_short     bigint      NOT NULL DEFAULT 0 CHECK (gold_short >= 0),
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    paid_at        timestamptz,
    delivered_at   timestamptz,
    asked_at       timestamptz,
    asks           integer     NOT NULL DEFAULT 0,
    UNIQUE (player_id, idem_key),
    UNIQUE (provider, provider_ref),
    UNIQUE (provider, payment_ref),
    CHECK ((paid_at IS NOT NULL) = (state IN ('paid', 'refunding', 'refunded', 'disputed', 'charged_back'))),
    CHECK (state <> 'pending' OR (provider_ref IS NOT NULL AND pay_url IS NOT NULL)),
    CHECK (gold_back + gold_short <= gold),
    CHECK (paid_at IS NOT NULL OR gold_back + gold_short = 0),
    CHECK ((paid_minor IS NULL) = (paid_at IS NULL)),
    CHECK (paid_at IS NOT NULL OR payment_ref IS NULL)
);
CREATE INDEX shop_orders_player ON shop_orders (player_id, id);
CREATE INDEX shop_orders_state ON shop_orders (state, id);
CREATE INDEX shop_orders_open ON shop_orders (id) WHERE state IN ('created', 'pending');
CREATE INDEX shop_orders_undelivered ON shop_orders (provider, id)
    WHERE product IS NOT NULL AND delivered_at IS NULL;

-- State history. Written by the guard only.
CREATE TABLE shop_order_log (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint      NOT NULL REFERENCES shop_orders (id),
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    from_state text,
    to_state   text        NOT NULL,
    why        text        NOT NULL
);
CREATE INDEX shop_order_log_order ON shop_order_log (order_id, id);

-- Transfers of an order. what: paid (gold given), back (taken back), return (given again).
CREATE TABLE shop_transfers (
    transfer_id bigint PRIMARY KEY REFERENCES transfers (id),
    order_id    bigint NOT NULL REFERENCES shop_orders (id),
    what        text   NOT NULL CHECK (what IN ('paid', 'back', 'return')),
    gold        bigint NOT NULL CHECK (gold > 0)
);
CREATE INDEX shop_transfers_order ON shop_transfers (order_id);
CREATE UNIQUE INDEX shop_transfers_paid ON shop_transfers (order_id) WHERE what = 'paid';

-- All events that providers sent about an order, stored once per event id. order_id NULL: the payment is
-- not known yet. subject: the dispute. amount_minor: NULL, meaning the whole amount, in events from stores,
-- which carry no amounts. price_minor: amount of a payment before discounts and taxes; NULL: the amount
-- paid. part: a refund whose amount is its own, not the running total. happened_at: by the provider's
-- clock. The refunded total is computed from all known events each time. contradicts: names one order and
-- the payment of another; flagged, and never applied.
CREATE TABLE shop_events (
    provider     text        NOT NULL,
    event_id     text        NOT NULL CHECK (char_length(event_id) BETWEEN 1 AND 120),
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind         text        NOT NULL
                             CHECK (kind IN ('paid', 'failed', 'expired', 'refunded', 'refund_failed',
                                             'disputed', 'dispute_won', 'dispute_lost')),
    order_id     bigint      REFERENCES shop_orders (id),
    payment_ref  text,
    subject      text,
    amount_minor bigint,
    price_minor  bigint,
    currency     text,
    part         boolean     NOT NULL DEFAULT false,
    happened_at  timestamptz,
    contradicts  boolean     NOT NULL DEFAULT false CHECK (NOT contradicts OR order_id IS NULL),
    PRIMARY KEY (provider, event_id)
);
CREATE INDEX shop_events_order ON shop_events (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX shop_events_unmatched ON shop_events (provider, payment_ref) WHERE order_id IS NULL;

-- Position in the lists of events at a provider. asked_at: when the last read began.
CREATE TABLE shop_lists (
    provider     text        PRIMARY KEY CHECK (provider ~ '^[a-z]{1,16}$'),
    listed_until timestamptz NOT NULL,
    asked_at     timestamptz NOT NULL
);

-- Refunds by an operator, each of everything that remains of an order. The gold is taken first; then the
-- provider is called with the refund's own idempotency key (token), as often as it takes. If it refuses,
-- the gold is returned. An accepted refund may fail days later: the bank returns the money to us, and the
-- buyer gets the gold back once. state: asked until the provider has replied.
CREATE TABLE shop_refunds (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint      NOT NULL REFERENCES shop_orders (id),
    key_id     bigint      NOT NULL REFERENCES api_keys (id),
    token      uuid        NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    reason     text        NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 200),
    state      text        NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'done', 'refused', 'failed')),
    refund_ref text        CHECK (char_length(refund_ref) <= 200),
    why        text        NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    asked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    asks       integer     NOT NULL DEFAULT 0,
    ended_at   timestamptz,
    CHECK ((ended_at IS NOT NULL) = (state <> 'asked'))
);
CREATE UNIQUE INDEX shop_refunds_asked ON shop_refunds (order_id) WHERE state = 'asked';
CREATE INDEX shop_refunds_order ON shop_refunds (order_id);

-- Cases that need a human decision. gold_short: gold to be taken back is missing; gold is the amount still
-- owed. amount_differs: the amount paid differs from the price, or a refund is in another currency.
-- refund_failed: refunded money was returned to us. payment_of_another: an event named this order and the
-- payment of another, and was applied to neither. paid_again: second payment of a paid order; it bought
-- nothing and must be refunded (event: its name). provider_off: the order or its refund waits for a disabled
-- provider. event: the cause, by the provider's name or ours. amount_minor, currency: the money concerned;
-- NULL for gold.
CREATE TABLE shop_flags (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id     bigint      NOT NULL REFERENCES shop_orders (id),
    at           timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason       text        NOT NULL CHECK (reason IN ('gold_short', 'amount_differs', 'refund_failed',
                                                    'payment_of_another', 'paid_again', 'provider_off')),
    gold         bigint      NOT NULL DEFAULT 0,
    event        text        NOT NULL DEFAULT '',
    amount_minor bigint,
    currency     text,
    settled_at   timestamptz
);
CREATE INDEX shop_flags_order ON shop_flags (order_id);
-- Counted periodically, for /metrics.
CREATE INDEX shop_flags_open ON shop_flags (id) WHERE settled_at IS NULL;

-- ==== Jobs =================================================================================================

-- Jobs that a scheduler calls. every_s: intended interval. grace_s: delay after which it counts as overdue.
-- by_time: its payments depend on the current time, so a call with an earlier time than the last one is
-- refused.
CREATE TABLE jobs (
    job     text        PRIMARY KEY,
    every_s bigint      NOT NULL CHECK (every_s > 0),
    grace_s bigint      NOT NULL CHECK (grace_s >= 0),
    since   timestamptz NOT NULL DEFAULT now(),
    done_at timestamptz,
    by_time boolean     NOT NULL DEFAULT false
);

-- One call of a job; a repeat with the same key resumes it or gets its reply.
CREATE TABLE job_runs (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    job        text        NOT NULL REFERENCES jobs (job),
    key_id     bigint      NOT NULL REFERENCES api_keys (id),
    idem_key   text        NOT NULL,
    body_hash  bytea       NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    done_at    timestamptz,
    steps      integer     NOT NULL DEFAULT 0,
    result     jsonb       NOT NULL DEFAULT '{}',
    UNIQUE (key_id, idem_key)
);

-- Result of one step of a job. more: work remains.
CREATE TYPE job_step AS (more boolean, result jsonb);

-- Tables that grow with time and are read by time are partitioned (docs/operations.md lists them with the
-- reasons). The job `partition_upkeep` creates and drops the partitions. Rows without a partition go to the
-- default partition, so inserts succeed even if no one runs the job. kind: month (UTC), season, table (table
-- ids, which grow with time). width: number of these per partition. ahead: partitions kept ready beyond the
-- current one. keep: partitions kept before it; NULL: all.
CREATE TABLE partitioned (
    parent text    PRIMARY KEY,
    key    text    NOT NULL,
    kind   text    NOT NULL CHECK (kind IN ('month', 'season', 'table')),
    width  integer NOT NULL CHECK (width > 0),
    ahead  integer NOT NULL CHECK (ahead > 0),
    keep   integer CHECK (keep > 0)
);

-- Existing partitions, besides the default ones. no: the period it covers.
CREATE TABLE partitions (
    parent  text        NOT NULL REFERENCES partitioned (parent),
    no      bigint      NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (parent, no)
);

-- ==== Outgoing messages ===================================================================================

-- Webhook endpoints of operators. events: see api/webhook_events.def. failing_since: no delivery has been
-- accepted since then; after webhook_off_s of that, or when the receiver replies that it is gone, off_at is
-- set.
CREATE TABLE webhook_endpoints (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    url           text        NOT NULL CHECK (char_length(url) BETWEEN 10 AND 500),
    events        text[]      NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 32),
    active        boolean     NOT NULL DEFAULT true,
    created_at    timestamptz NOT NULL DEFAULT now(),
    failing_since timestamptz,
    off_at        timestamptz, -- switched off by the server
    CHECK (off_at IS NULL OR NOT active)
);

-- Secrets that sign the deliveries to an endpoint, encrypted (api/admin/webhook_secret.h). until: for the
-- previous secret, which signs alongside the current one until then.
CREATE TABLE webhook_secrets (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id bigint      NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    sealed      bytea       NOT NULL CHECK (octet_length(sealed) = 72),
    kid         text        NOT NULL,
    until       timestamptz
);
CREATE INDEX webhook_secrets_endpoint ON webhook_secrets (endpoint_id);

-- Where to notify a player who is away. address: URL of a push service, or a device token; anyone who has
-- it can push to the device. point, auth: encryption keys for messages (RFC 8291). Belongs to a session and
-- ends with it. here_until: until then, its player is in the lobby of some node and gets no push.
CREATE TABLE push_devices (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES players (id),
    session_id bigint      NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind ~ '^[a-z]{1,15}$'), -- the kind of its push service
    address    text        NOT NULL CHECK (char_length(address) BETWEEN 10 AND 500),
    point      bytea       CHECK (octet_length(point) = 65),
    auth       bytea       CHECK (octet_length(auth) = 16),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz, -- last time its service accepted a message
    here_until timestamptz,
    UNIQUE (kind, address),
    CHECK ((kind = 'webpush') = (point IS NOT NULL)),
    CHECK ((kind = 'webpush') = (auth IS NOT NULL))
);
CREATE INDEX push_devices_player ON push_devices (player_id);
CREATE INDEX push_devices_session ON push_devices (session_id);

-- Which notifications are pushed, and how. notification: their kind. needs: fields that their data must have.
-- urgent: wakes a device in battery saver mode. ttl_s: a push that could not be delivered for this long is
-- discarded; push services keep nothing longer than 28 days. topic: a field of the data; a push replaces a
-- waiting one of the same kind and value; NULL: any of its kind. wanted: default for players who have not
-- chosen.
CREATE TABLE push_kinds (
    kind         text    PRIMARY KEY CHECK (kind ~ '^[a-z_]{1,32}$'),
    notification text    NOT NULL,
    needs        jsonb   NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(needs) = 'object'),
    urgent       boolean NOT NULL,
    ttl_s        integer NOT NULL CHECK (ttl_s BETWEEN 60 AND 28 * 86400),
    topic        text    CHECK (topic ~ '^[a-z_]{1,32}$'),
    wanted       boolean NOT NULL DEFAULT true
);

-- Players' choices for a setting: push_ and a kind of push, week (weekly notification), or mail_your_turn,
-- which is opt-in.
CREATE TABLE push_settings (
    player_id bigint  REFERENCES players (id),
    setting   text    CHECK (setting ~ '^push_' OR setting IN ('mail_your_turn', 'week')),
    wanted    boolean NOT NULL,
    PRIMARY KEY (player_id, setting)
);

-- Outgoing HTTP requests, written in the transaction that causes them and sent by any server. token: id that
-- the receiver sees, the same at each attempt. body: the bytes; for a device, the data they are built
-- from. taken: a server is sending it, until next_try. status: last status of the receiver; 0: no reply.
CREATE TABLE deliveries (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token       uuid        NOT NULL DEFAULT gen_random_uuid(),
    endpoint_id bigint      REFERENCES webhook_endpoints (id) ON DELETE CASCADE, -- exactly one of the two
    device_id   bigint      REFERENCES push_devices (id) ON DELETE CASCADE,
    event       text        NOT NULL CHECK (event ~ '^[a-z_.]{1,40}$'),
    body        text        NOT NULL CHECK (octet_length(body) <= 4000),
    created_at  timestamptz NOT NULL DEFAULT now(),
    tries       integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    taken       boolean     NOT NULL DEFAULT false,
    next_try    timestamptz NOT NULL DEFAULT now(),
    sent_at     timestamptz,
    failed_at   timestamptz, -- given up
    status      integer     CHECK (status BETWEEN 0 AND 999),
    said        text        CHECK (char_length(said) <= 160), -- why there was no reply
    CHECK (sent_at IS NULL OR failed_at IS NULL),
    CHECK ((endpoint_id IS NULL) <> (device_id IS NULL)),
    CHECK (NOT taken OR (sent_at IS NULL AND failed_at IS NULL))
);
CREATE INDEX deliveries_due ON deliveries (next_try) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX deliveries_taken ON deliveries (endpoint_id) WHERE taken;
CREATE INDEX deliveries_over ON deliveries (coalesce(sent_at, failed_at))
    WHERE coalesce(sent_at, failed_at) IS NOT NULL;
CREATE INDEX deliveries_device ON deliveries (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX deliveries_endpoint ON deliveries (endpoint_id, id DESC);

-- ==== Triggers =============================================================================================

-- --- ledger

CREATE TRIGGER posting_apply BEFORE INSERT ON postings
    FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION ledger_posting_apply();
CREATE TRIGGER balances_follow AFTER INSERT ON postings
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_balances_follow();
CREATE TRIGGER transfer_balanced AFTER INSERT ON postings
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_transfer_balanced();
CREATE TRIGGER posting_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER transfer_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE CONSTRAINT TRIGGER transfer_posted AFTER INSERT ON transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_posted();
CREATE TRIGGER account_guard BEFORE INSERT ON accounts
    FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();
-- In a WHEN condition, depth 0 means that the user issued the statement directly. An empty hold may move to
-- another table.
CREATE TRIGGER account_changed BEFORE UPDATE ON accounts
    FOR EACH ROW WHEN (CASE WHEN OLD.table_id IS DISTINCT FROM NEW.table_id
                            THEN (OLD.kind = 'hold' AND OLD.balance = 0 AND NEW.balance = 0) IS NOT TRUE
                            ELSE pg_trigger_depth() = 0 END
                       OR OLD.id IS DISTINCT FROM NEW.id OR OLD.kind IS DISTINCT FROM NEW.kind
                       OR OLD.currency IS DISTINCT FROM NEW.currency
                       OR OLD.player_id IS DISTINCT FROM NEW.player_id
                       OR OLD.tournament_id IS DISTINCT FROM NEW.tournament_id
                       OR OLD.cause IS DISTINCT FROM NEW.cause)
    EXECUTE FUNCTION ledger_account_changed();
CREATE CONSTRAINT TRIGGER balance_posted AFTER UPDATE ON accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.balance IS DISTINCT FROM NEW.balance)
    EXECUTE FUNCTION ledger_balance_posted();
CREATE TRIGGER account_kept BEFORE DELETE OR TRUNCATE ON accounts
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();

CREATE TRIGGER chain_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_chain
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER head_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_heads
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();

ALTER TABLE postings ENABLE ALWAYS TRIGGER posting_apply;
ALTER TABLE postings ENABLE ALWAYS TRIGGER balances_follow;
ALTER TABLE postings ENABLE ALWAYS TRIGGER transfer_balanced;
ALTER TABLE postings ENABLE ALWAYS TRIGGER posting_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER transfer_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER transfer_posted;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_guard;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_changed;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER balance_posted;
ALTER TABLE accounts ENABLE ALWAYS TRIGGER account_kept;
ALTER TABLE ledger_chain ENABLE ALWAYS TRIGGER chain_kept;
ALTER TABLE ledger_heads ENABLE ALWAYS TRIGGER head_kept;

-- --- tables, games and what follows from them

CREATE TRIGGER tables_watch_delay BEFORE INSERT ON tables
    FOR EACH ROW WHEN (NEW.room_id IS NOT NULL) EXECUTE FUNCTION pin_watch_delay();
CREATE TRIGGER limit_seat_guard BEFORE INSERT OR UPDATE OF player_id ON seats
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL) EXECUTE FUNCTION limit_seat_guard();
CREATE TRIGGER limit_entry_guard BEFORE INSERT ON tournament_entries
    FOR EACH ROW WHEN (NEW.player_id IS NOT NULL) EXECUTE FUNCTION limit_entry_guard();
CREATE CONSTRAINT TRIGGER tournament_pot_empty AFTER UPDATE ON tournaments
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state IN ('ended', 'cancelled'))
    EXECUTE FUNCTION tournament_pot_empty();
CREATE TRIGGER prize_shares_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON prize_shares
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('prize_shares');
CREATE TRIGGER pay_daily_before_games AFTER INSERT ON games
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION pay_daily_before_games();
CREATE TRIGGER note_players_played AFTER INSERT ON game_players
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_players_played();
CREATE TRIGGER begin_player_days AFTER INSERT ON players
    FOR EACH ROW WHEN (NEW.kind <> 'bot') EXECUTE FUNCTION begin_player_days();

-- --- leaderboards and leagues

CREATE TRIGGER rank_ratings_insert AFTER INSERT ON ratings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION rank_ratings_insert();
CREATE TRIGGER rank_ratings_update AFTER UPDATE ON ratings
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION rank_ratings_update();
CREATE TRIGGER board_insert AFTER INSERT ON board_entries
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION board_note_insert();
CREATE TRIGGER board_delete AFTER DELETE ON board_entries
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION board_note_delete();
CREATE TRIGGER board_update AFTER UPDATE ON board_entries
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION board_note_update();
CREATE TRIGGER push_notifications AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION push_notifications();
CREATE TRIGGER announce_notifications AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION announce_notifications();
CREATE TRIGGER notify_season_results AFTER INSERT ON season_results
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_season_results();
CREATE TRIGGER count_season_results AFTER INSERT ON season_results
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_season_results();
CREATE TRIGGER notify_season_prize AFTER UPDATE OF prize_gold ON season_results
    FOR EACH ROW WHEN (NEW.prize_gold > OLD.prize_gold) EXECUTE FUNCTION notify_season_prize();

-- --- accounts whose rewards are withheld

CREATE TRIGGER withheld_proved AFTER UPDATE OF email_verified_at ON players
    FOR EACH ROW WHEN (OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL)
    EXECUTE FUNCTION withheld_proved('id');
CREATE TRIGGER withheld_proved AFTER INSERT ON passkeys
    FOR EACH ROW EXECUTE FUNCTION withheld_proved('player_id');
CREATE TRIGGER withheld_proved AFTER INSERT ON identities
    FOR EACH ROW EXECUTE FUNCTION withheld_proved('player_id');

-- --- invitations

CREATE TRIGGER invite_address_proved AFTER UPDATE OF email_verified_at ON players
    FOR EACH ROW WHEN (OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL)
    EXECUTE FUNCTION invite_address_proved();
CREATE TRIGGER invite_proved AFTER INSERT ON passkeys
    FOR EACH ROW EXECUTE FUNCTION invite_proved();
CREATE TRIGGER invite_proved AFTER INSERT ON identities
    FOR EACH ROW EXECUTE FUNCTION invite_proved();
CREATE TRIGGER invite_made AFTER INSERT ON invites
    FOR EACH ROW EXECUTE FUNCTION invite_made();
CREATE TRIGGER invite_terms_changed AFTER UPDATE ON settings
    FOR EACH ROW WHEN (NEW.name IN ('invite_games', 'invite_opponents'))
    EXECUTE FUNCTION invite_terms_changed();

-- --- shop

CREATE TRIGGER limit_order_guard BEFORE INSERT ON shop_orders
    FOR EACH ROW EXECUTE FUNCTION limit_order_guard();
CREATE TRIGGER shop_order_guard BEFORE INSERT OR UPDATE ON shop_orders
    FOR EACH ROW EXECUTE FUNCTION shop_order_guard();
CREATE TRIGGER shop_order_logged AFTER INSERT OR UPDATE ON shop_orders
    FOR EACH ROW EXECUTE FUNCTION shop_order_logged();
CREATE TRIGGER webhook_orders AFTER UPDATE ON shop_orders
    FOR EACH ROW EXECUTE FUNCTION webhook_orders();
CREATE TRIGGER shop_order_kept BEFORE DELETE OR TRUNCATE ON shop_orders
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('shop');
CREATE CONSTRAINT TRIGGER shop_order_proven AFTER INSERT OR UPDATE ON shop_orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE CONSTRAINT TRIGGER shop_transfer_proven AFTER INSERT ON shop_transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE TRIGGER shop_transfer_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_transfers
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('shop');
CREATE TRIGGER shop_log_guard BEFORE INSERT ON shop_order_log
    FOR EACH ROW EXECUTE FUNCTION shop_log_guard();
CREATE TRIGGER shop_log_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_order_log
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('shop');
CREATE TRIGGER shop_event_guard BEFORE UPDATE ON shop_events
    FOR EACH ROW EXECUTE FUNCTION shop_event_guard();
CREATE TRIGGER shop_event_forgotten BEFORE DELETE ON shop_events
    FOR EACH ROW EXECUTE FUNCTION shop_event_forgotten();
CREATE TRIGGER shop_event_kept BEFORE TRUNCATE ON shop_events
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('shop');
CREATE CONSTRAINT TRIGGER shop_transfer_of_order AFTER INSERT ON transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.cause IN ('shop', 'shop_back'))
    EXECUTE FUNCTION shop_transfer_of_order();
CREATE TRIGGER shop_refund_guard BEFORE UPDATE ON shop_refunds
    FOR EACH ROW EXECUTE FUNCTION shop_refund_guard();
CREATE TRIGGER shop_refund_kept BEFORE DELETE OR TRUNCATE ON shop_refunds
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('shop');

ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_guard;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_logged;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_kept;
ALTER TABLE shop_orders ENABLE ALWAYS TRIGGER shop_order_proven;
ALTER TABLE shop_transfers ENABLE ALWAYS TRIGGER shop_transfer_proven;
ALTER TABLE shop_transfers ENABLE ALWAYS TRIGGER shop_transfer_kept;
ALTER TABLE shop_order_log ENABLE ALWAYS TRIGGER shop_log_guard;
ALTER TABLE shop_order_log ENABLE ALWAYS TRIGGER shop_log_kept;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_guard;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_forgotten;
ALTER TABLE shop_events ENABLE ALWAYS TRIGGER shop_event_kept;
ALTER TABLE transfers ENABLE ALWAYS TRIGGER shop_transfer_of_order;
ALTER TABLE shop_refunds ENABLE ALWAYS TRIGGER shop_refund_guard;
ALTER TABLE shop_refunds ENABLE ALWAYS TRIGGER shop_refund_kept;

-- --- administration

CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION rows_guard('audit');
ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_kept;
