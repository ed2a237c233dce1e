-- The tables, types, sequences, indexes, constraints and triggers of rummyd: the source, kept by hand.
--
-- `rummyd migrate` applies this file to an empty database, and with it the functions of db/functions/ and the
-- rows of db/data/. A database that holds something already is led here by db/migrations/
-- (docs/development.md). The part below "Triggers" comes after the functions, which it names.
--
-- Times are timestamptz. Ids are numbers, and a larger one is a later one. `_n` is a number of things, `_ms`
-- and `_s` are lengths of time, `_minor` is money in the smallest unit of its currency. Chips are whole.

-- ==== What this database was made of =======================================================================

-- Migrations that were applied or are part of the schema.sql this database was made from.
CREATE TABLE schema_migrations (
    version    integer     PRIMARY KEY,
    name       text        NOT NULL,
    checksum   bytea       NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

-- One row. base: the hash of the schema.sql this database is equal to; '' while migrations are on their way
-- there. code: the hash of all functions and data files together; '' while the database is being made.
-- functions: the signatures of what they made, so that nobody else's function is ever dropped.
CREATE TABLE schema_state (
    only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
    base       bytea       NOT NULL DEFAULT '',
    code       bytea       NOT NULL DEFAULT '',
    functions  text[]      NOT NULL DEFAULT '{}',
    applied_at timestamptz NOT NULL DEFAULT now(),
    names_by   text        -- what made all keys of name_keys (api_name_version); NULL: not one version all
);

-- ==== Settings =============================================================================================

-- What an operator tunes without a build. No function bears a number of its own; it reads these rows.
CREATE TABLE settings (
    name  text PRIMARY KEY,
    value text NOT NULL,
    about text NOT NULL
);

-- ==== Players ==============================================================================================

-- Ranks that levels go through.
CREATE TABLE titles (
    name       text    PRIMARY KEY,
    level_from integer NOT NULL UNIQUE CHECK (level_from > 0)
);

-- points_needed: Clover points that lead from this level to the next; NULL on the last one.
-- reward_gold: paid when this level is reached. silver_cap: silver a player of this level may own.
CREATE TABLE levels (
    level         integer PRIMARY KEY CHECK (level > 0),
    title         text    NOT NULL REFERENCES titles (name),
    points_needed bigint  CHECK (points_needed > 0),
    reward_gold   bigint  NOT NULL CHECK (reward_gold >= 0),
    silver_cap    bigint  NOT NULL CHECK (silver_cap >= 0)
);

-- Everybody who ever entered. A row is never deleted; deleted_at takes a player out of sight.
CREATE TABLE players (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind             text        NOT NULL CHECK (kind IN ('guest', 'registered', 'bot')),
    role             text        NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'admin')),
    nickname         text        NOT NULL CHECK (octet_length(nickname) BETWEEN 1 AND 120),
    avatar           text        NOT NULL DEFAULT '' CHECK (char_length(avatar) <= 32),
    level            integer     NOT NULL DEFAULT 1 REFERENCES levels (level),
    level_points     bigint      NOT NULL DEFAULT 0 CHECK (level_points >= 0), -- towards the next level
    clover_points    bigint      NOT NULL DEFAULT 0 CHECK (clover_points >= 0), -- ever won
    banned_at        timestamptz,
    deleted_at       timestamptz,
    created_at       timestamptz NOT NULL DEFAULT now(),
    chat_muted_until timestamptz, -- no chat before this time; set by an operator
    email_verified_at timestamptz, -- of an account whose address a link has proved
    language         text        NOT NULL DEFAULT 'en' -- of mails
                     CHECK (language ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?$'),
    nickname_folded  text        NOT NULL DEFAULT '', -- without case and width; searches look at it
    nickname_given   boolean     NOT NULL DEFAULT false, -- it was made up for them: they may choose one
    nickname_changed_at timestamptz -- NULL: it is the first one they chose, or was made up
);
CREATE INDEX players_nickname ON players (nickname_folded text_pattern_ops, id);
CREATE INDEX players_banned ON players (banned_at) WHERE banned_at IS NOT NULL;

-- What nicknames look like (api/names.c): two that share a key could be taken for each other, and only one of
-- them may be there. until: of a name that its player has given up; it stays theirs till then. NULL: of the
-- one they have. A player has no key of their own when another had it first, and the tables of likeness
-- changed later.
CREATE TABLE name_keys (
    key       text        COLLATE "C" PRIMARY KEY CHECK (octet_length(key) BETWEEN 1 AND 255),
    player_id bigint      NOT NULL REFERENCES players (id),
    until     timestamptz
);
CREATE INDEX name_keys_player ON name_keys (player_id);
CREATE INDEX name_keys_until ON name_keys (until) WHERE until IS NOT NULL;

-- How registered players log in. The e-mail address is in lower case, password_hash a libsodium string
-- (argon2id).
CREATE TABLE credentials (
    player_id     bigint      PRIMARY KEY REFERENCES players (id),
    email         text        NOT NULL UNIQUE
                              CHECK (email = lower(email COLLATE "C")
                                     AND char_length(email) BETWEEN 3 AND 254),
    password_hash text        NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- A guest comes back by a secret that the server gave their device; only its hash is stored. It is replaced
-- at each use. old_hash: the one before it, which still serves for a while, in case the answer with its
-- successor was lost.
CREATE TABLE guest_devices (
    player_id   bigint      PRIMARY KEY REFERENCES players (id),
    secret_hash bytea       NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    old_hash    bytea       UNIQUE CHECK (octet_length(old_hash) = 32),
    replaced_at timestamptz,
    CHECK ((old_hash IS NULL) = (replaced_at IS NULL))
);

-- At which address an account was made, and on which day of the settings' zone: for a while, to limit how
-- many new accounts of one address bring anything, and to report them. address_hash: of the bucket of the
-- address (base/addr.h), with a key that the database does not have (api/origin.c), so that it leads to no
-- address.
CREATE TABLE account_origins (
    player_id    bigint PRIMARY KEY REFERENCES players (id),
    address_hash bytea  NOT NULL CHECK (octet_length(address_hash) = 32),
    day          date   NOT NULL
);
CREATE INDEX account_origins_address ON account_origins (address_hash, day);
CREATE INDEX account_origins_day ON account_origins (day);

-- Accounts beyond that limit: until they have a proved way to sign in, they have no welcome chips and no
-- daily bonus, and a game brings nothing but chips to them, nor to others because of them.
CREATE TABLE withheld_players (
    player_id bigint PRIMARY KEY REFERENCES players (id)
);

-- By what passkeys know an account: a random text that says nothing of the player and stays the same.
CREATE TABLE passkey_handles (
    player_id bigint PRIMARY KEY REFERENCES players (id),
    handle    bytea  NOT NULL UNIQUE CHECK (octet_length(handle) = 32)
);

-- A passkey (WebAuthn): the public half of a key that an authenticator keeps. credential_id: its choice.
-- public_key: as libfido2 has it, without a frame. sign_count: of its uses; 0: it does not count. backed_up:
-- it is kept in more than one place. transports: how browsers reach it, as they said.
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
    used_at         timestamptz, -- NULL: never to log in
    CHECK (octet_length(public_key) = CASE algorithm WHEN 'ES256' THEN 64 WHEN 'EdDSA' THEN 32 ELSE 259 END),
    CHECK (backup_eligible OR NOT backed_up)
);
CREATE INDEX passkeys_player ON passkeys (player_id);

-- Challenges that were given out and not used yet. Each takes the next slot of a ring, so there are never
-- more than passkey_challenges_max. session_id: whose passkey is to be added; NULL: somebody wants to log in.
CREATE TABLE passkey_challenges (
    slot           bigint      PRIMARY KEY,
    challenge_hash bytea       NOT NULL UNIQUE CHECK (octet_length(challenge_hash) = 32),
    session_id     bigint,
    expires_at     timestamptz NOT NULL
);
CREATE SEQUENCE passkey_challenge_slots MINVALUE 0;

-- A session: what began with one log-in, and the refresh tokens and access tokens that descend from it. app
-- and system: what the client called itself; NULL: nothing we know. network: the address it was last used
-- from, shortened. idle_at: it ends then unless it is used; over_at: it ends then however much it is used.
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
    ended_at   timestamptz, -- by hand, or because a token was seen twice
    CHECK (idle_at <= over_at)
);
CREATE INDEX sessions_player ON sessions (player_id);
CREATE INDEX sessions_idle ON sessions (idle_at);
CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL;

-- A token is replaced at each use. One that is seen again is in two hands: its session ends; unless it comes
-- back at once and its successor was not used, for then an answer was lost. next_hash: of the successor.
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

-- The answer to whoever entered: code, and the session and the profile when it is ok. ended: sessions that
-- ended by this.
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

-- Accounts with which programs play: players of the kind `bot`, each of a registered player who answers for
-- it. retired_at: its owner has given it up.
CREATE TABLE bot_accounts (
    player_id  bigint      PRIMARY KEY REFERENCES players (id),
    owner_id   bigint      NOT NULL REFERENCES players (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    CHECK (player_id <> owner_id)
);
CREATE INDEX bot_accounts_owner ON bot_accounts (owner_id);

-- What a program gets access tokens with, for one bot. scopes: by api/scopes.def. session_id: the
-- session that its access tokens are of; it ends with the token.
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

-- Who a player is at a provider of OpenID Connect: its issuer, and the subject, which is theirs there
-- alone and never another one's. email: as the provider last said it, for the player to tell them apart;
-- it opens nothing.
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

-- Sign-ins on their way to a provider and back. secret_hash: of what the browser or app keeps that began
-- it; state, nonce and verifier follow from that by a key of the server's and are stored nowhere.
-- player_id: whose account it is to be linked to; NULL: it signs in. source: the bucket of the address it
-- began at.
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

-- Log-ins whose password was wrong, and those that are being compared; for locks. An account is its address,
-- hashed: of one that is not there, too. source: the bucket of an address (base/addr.h). device_hash: of the
-- device, when the account knows it.
CREATE TABLE login_attempts (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_hash bytea       NOT NULL CHECK (octet_length(account_hash) = 32),
    source       text        NOT NULL CHECK (char_length(source) <= 64),
    device_hash  bytea       CHECK (octet_length(device_hash) = 32),
    at           timestamptz NOT NULL DEFAULT now(),
    failed       boolean     NOT NULL DEFAULT false, -- else its outcome is not known yet, or never was
    factor       boolean     NOT NULL DEFAULT false  -- a code of the second factor
);
CREATE INDEX login_attempts_account ON login_attempts (account_hash, at);
CREATE INDEX login_attempts_source ON login_attempts (source, at);
CREATE INDEX login_attempts_at ON login_attempts (at);

-- A device that entered an account is known to it by a token that it keeps; only its hash is stored. Others'
-- failed log-ins do not lock it out.
CREATE TABLE known_devices (
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES players (id),
    used_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, token_hash)
);
CREATE INDEX known_devices_token ON known_devices (token_hash);
CREATE INDEX known_devices_used ON known_devices (used_at);

-- The second factor of an account: a TOTP secret (RFC 6238), encrypted by the server (api/token_seal.c) with
-- a key that follows from the token secret called kid. on_at NULL: it is being set up, since created_at, and
-- tries codes were given for it. last_step: of the last code that was taken; no code before it is any more.
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

-- Each stands in once for a code of the second factor; only its hash is stored.
CREATE TABLE recovery_codes (
    player_id bigint NOT NULL REFERENCES totp_factors (player_id) ON DELETE CASCADE,
    code_hash bytea  NOT NULL CHECK (octet_length(code_hash) = 32),
    PRIMARY KEY (player_id, code_hash)
);

-- Log-ins that wait for their second factor: what came before it was right. Only the hash of what they go on
-- with is stored.
CREATE TABLE login_challenges (
    token_hash bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES totp_factors (player_id) ON DELETE CASCADE,
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    expires_at timestamptz NOT NULL
);
CREATE INDEX login_challenges_player ON login_challenges (player_id, expires_at);
CREATE INDEX login_challenges_expires ON login_challenges (expires_at);

-- Mail to send, put into the transaction of what it tells of (mail_put) and sent by any of the servers. token
-- makes the Message-ID, which is the same at each try. data: what the template needs, emptied when the mail
-- was sent or given up, for it may hold a link that opens the account.
CREATE TABLE mails (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token      uuid        NOT NULL DEFAULT gen_random_uuid(),
    player_id  bigint      NOT NULL REFERENCES players (id),
    address    text        NOT NULL CHECK (char_length(address) BETWEEN 3 AND 254),
    template   text        NOT NULL CHECK (template ~ '^[a-z_]{1,40}$'),
    data       jsonb       NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    created_at timestamptz NOT NULL DEFAULT now(),
    tries      integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    held       integer     NOT NULL DEFAULT 0 CHECK (held >= 0), -- tries that failed for a reason of ours
    next_try   timestamptz NOT NULL DEFAULT now(), -- while it is being sent: when it may be taken again
    sent_at    timestamptz,
    failed_at  timestamptz, -- given up
    said       text        CHECK (char_length(said) <= 300), -- why the last try failed
    CHECK (sent_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX mails_due ON mails (next_try) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX mails_over ON mails (coalesce(sent_at, failed_at))
    WHERE coalesce(sent_at, failed_at) IS NOT NULL;
CREATE INDEX mails_player ON mails (player_id);

-- Links sent by email. Each does its work once; used again before it expires, it only reports that it is
-- done (used_at). verify: confirms the address of the account. change: makes this one its
-- address. undo: leads back to this one, which it had. reset: sets a new password. unlock: lifts a lock of
-- log-ins.
CREATE TABLE mail_proofs (
    token_hash bytea       PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    player_id  bigint      NOT NULL REFERENCES players (id),
    kind       text        NOT NULL CHECK (kind IN ('verify', 'change', 'undo', 'reset', 'unlock')),
    address    text        NOT NULL, -- to which it was sent
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    proved     boolean     NOT NULL DEFAULT true -- undo: whether that address had been proved
);
CREATE INDEX mail_proofs_player ON mail_proofs (player_id, kind);
CREATE INDEX mail_proofs_expires ON mail_proofs (expires_at);
CREATE INDEX mail_proofs_undo ON mail_proofs (address) WHERE kind = 'undo';

-- Addresses whose password somebody wants to reset, and those whose account a lock of log-ins has kept
-- somebody out of, until the server has looked which have an account.
CREATE TABLE link_requests (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind  text   NOT NULL CHECK (kind IN ('reset', 'unlock')),
    email text   NOT NULL CHECK (char_length(email) <= 254)
);

-- First answers by idempotency key. Written in the transaction whose answer it is.
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

-- Limits that players set for themselves. kind: time (minutes a day), purchases (a day, in the smallest unit
-- of the currency), exclusion (until this second since 1970). next_value takes the place of value at next_at.
CREATE TABLE play_limits (
    player_id  bigint      NOT NULL REFERENCES players (id),
    kind       text        NOT NULL CHECK (kind IN ('time', 'purchases', 'exclusion')),
    value      bigint      NOT NULL CHECK (value >= 0),
    next_value bigint      CHECK (next_value >= 0),
    next_at    timestamptz,
    PRIMARY KEY (player_id, kind),
    CHECK ((next_value IS NULL) = (next_at IS NULL))
);

-- A purchase limit is one sum, and orders may be in several currencies: each counts by what it is worth.
-- worth: of the currency's smallest unit, in the smallest unit of the currency that limits are in (whose
-- worth is 1).
CREATE TABLE limit_currencies (
    currency text    PRIMARY KEY CHECK (currency ~ '^[a-z]{3}$'),
    worth    numeric NOT NULL CHECK (worth > 0)
);

-- ==== Nodes ================================================================================================

-- A node is a running server. Its epoch changes with each start, and when others take its tables over; no two
-- nodes ever have the same one. Whoever writes for a table bears the epoch it started with, so a process that
-- lost its name or its lease can write no more.
-- stopped_at: when the process before it was last heard. The clock of a turn stands still while nobody is
-- there to play it, so what a turn has left after a restart is told from this, which the next start must not
-- write over.
CREATE SEQUENCE node_epochs;
CREATE TABLE nodes (
    name       text        PRIMARY KEY CHECK (char_length(name) BETWEEN 1 AND 64),
    epoch      bigint      NOT NULL,
    starts     integer     NOT NULL DEFAULT 1 CHECK (starts > 0),
    stopped_at timestamptz
);

-- The registry: what each node says of itself every second. Beside nodes, because every write of a table
-- holds its node's row there, and a renewal must wait for none of them.
-- epoch: of nodes; both change together. renewals: grows with every word of the node, so that others see by
-- their own clocks that it is silent. alive_at: of the last word. seen_at: when the process that plays now
-- was last heard; one that ended before it played says nothing. drain, pass_n: what an operator has asked of
-- it: to hand all its tables over, or so many of them; it hears that with the answer to its next word.
CREATE TABLE node_leases (
    node      text        PRIMARY KEY REFERENCES nodes (name),
    epoch     bigint      NOT NULL,
    state     text        NOT NULL CHECK (state IN ('starting', 'ready', 'unreached', 'draining', 'gone')),
    renewals  bigint      NOT NULL DEFAULT 1,
    alive_at  timestamptz NOT NULL DEFAULT now(),
    seen_at   timestamptz,
    ws_url    text        NOT NULL DEFAULT '', -- public base of its sockets
    version   text        NOT NULL DEFAULT '',
    table_max integer     NOT NULL DEFAULT 0 CHECK (table_max >= 0), -- tables it may have
    tables    integer     NOT NULL DEFAULT 0 CHECK (tables >= 0),    -- it has now
    sockets   integer     NOT NULL DEFAULT 0 CHECK (sockets >= 0),   -- players connected to it
    lobby     integer     NOT NULL DEFAULT 0 CHECK (lobby >= 0),     -- of them in its lobby
    drain     boolean     NOT NULL DEFAULT false,
    pass_n    integer     NOT NULL DEFAULT 0 CHECK (pass_n >= 0)
) WITH (fillfactor = 50);

-- Who is in the lobby of which node, as the nodes tell while others live. A row counts for as long as its
-- node lives and has this epoch. Unlogged: after a crash or a fail-over the nodes tell it again.
CREATE UNLOGGED TABLE lobby_people (
    player_id bigint NOT NULL,
    node      text   NOT NULL,
    epoch     bigint NOT NULL,
    PRIMARY KEY (player_id, node)
);
CREATE INDEX lobby_people_node ON lobby_people (node);

-- ==== Tournaments ==========================================================================================

-- How a pot is shared out (docs/tournaments.md). Rows of an entries_min count from so many people on, up to
-- the next larger one; each share in hundredths of a percent, together all of the pot. Never changed once
-- there: a tournament is announced with its table.
CREATE TABLE prize_tables (
    id         text        PRIMARY KEY CHECK (id ~ '^[a-z0-9_]{1,32}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Of a step: the first place, the second …
CREATE TABLE prize_shares (
    prize_table text     NOT NULL REFERENCES prize_tables (id),
    entries_min integer  NOT NULL CHECK (entries_min > 0),
    place       smallint NOT NULL CHECK (place > 0),
    share       integer  NOT NULL CHECK (share BETWEEN 1 AND 10000),
    PRIMARY KEY (prize_table, entries_min, place),
    CHECK (place <= entries_min)
);

-- kind: knockout (the first advance_n of each table go on), stages (the best keep_percent of all go on, by
-- the points of all rounds), swiss (all play rounds_n rounds), teams (two of seats_n each, which play one
-- round of a duplicate at two tables and share the pot without a prize table). starts_at NULL: as soon as
-- entries_max have entered, or with bots wait_s after the first one has. bots_to: house bots fill it up to
-- so many at its start. All draws come from a seed (tournament_secrets) by a chain (tournament_seed), whose
-- last link is published as commit. clients: the hash of all entrants' seeds, when entries closed last.
-- state: open, running, ended; cancelling while entries go back, then cancelled. round_over: the round is
-- counted, and the next one is drawn at next_at. people_n: of entries that are not bots'. duplicate: in a
-- round all tables play one deal (tournament_deals), whose secrets come from that seed, too, by a chain that
-- deal_commit is the last link of.
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
    entries_no   integer     NOT NULL DEFAULT 0, -- the last number given out
    round_no     integer     NOT NULL DEFAULT 0,
    draw_no      integer     NOT NULL DEFAULT 0 CHECK (draw_no <= draws_max),
    round_over   boolean     NOT NULL DEFAULT false,
    next_at      timestamptz,
    round_ends_at timestamptz, -- of the running round: tables that still play then are ended
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

-- The seed of a tournament, which nobody may know before its last draw: no role but the owner reads it.
CREATE TABLE tournament_secrets (
    tournament_id bigint PRIMARY KEY REFERENCES tournaments (id),
    seed          bytea  NOT NULL CHECK (octet_length(seed) = 32)
);
CREATE INDEX tournaments_going_on ON tournaments (id) WHERE state IN ('open', 'running', 'cancelling');

-- player_id NULL: a bot of the house. team: of a match of two teams. paid: what went into the pot for it.
-- live: it may still come back.
-- drawn: sits in a round, or did. score: by places at tables; margin: by points there; matchpoints: of a
-- duplicate, the sum of what fractions of the others were beaten; wins: tables won, byes not; byes: how many
-- (docs/tournaments.md). out_round: the round it went out in. place: once that is known.
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

-- A round as the server draws it: entries table by table, seat by seat.
CREATE TYPE tournament_drawn AS (seats integer[], repeats bigint, least boolean);

-- What was drawn, and from what: seed is the link of the chain that this draw shows, clients as it was then,
-- made of the entries with numbers up to entries_to. Of later rounds of a Swiss tournament: repeats, how
-- often those at the same table had met before; least: no draw has fewer.
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
    bot_level         smallint NOT NULL CHECK (bot_level BETWEEN 1 AND 4),
    fill_wait_ms      integer  NOT NULL CHECK (fill_wait_ms >= 0), -- a table waits so long for people
    open              boolean  NOT NULL,
    -- How much later than they happen a spectator sees things; NULL: its tables may not be watched.
    watch_delay_ms    integer  DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000),
    bot_accounts      boolean  NOT NULL DEFAULT false, -- they may sit here, and its games are practice
    CHECK (NOT bot_accounts OR stake = 0 AND reward = 0)
);

-- Points of a place, before the bonuses for opening and for cards thrown.
CREATE TABLE place_points (
    variant text     NOT NULL,
    place   smallint NOT NULL CHECK (place > 0),
    points  integer  NOT NULL CHECK (points >= 0),
    PRIMARY KEY (variant, place)
);

-- A deal that many tables play, so that the same choices meet the same cards (docs/daily-deal.md,
-- docs/tournaments.md). The server seed of each hand follows from `seed` (deal_hand_seed), the client seed is
-- seat 0's in every hand. best_high: the greatest total is the best. opens_at: nobody is told its cards
-- before, nor while one of its plays goes on (deal_is_open); infinity: its end is not known yet. number:
-- stands for that of the table in the key of each hand, and was known before the seed was; NULL: id does.
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

-- Live tables and all that ever were. A table is opened by a room, or by a player: with any variant and
-- options, people and bots as they like. A private one is entered by its code and played without chips and
-- points; a public one stands in a list: of all, or of the club it was opened for. A house table is opened by
-- the server for those who are to sit there: nobody else joins, nobody leaves before the deal, and it starts
-- on time, whoever has come.
--
-- Stake, reward, multiplier and watch_delay_ms are pinned when the table is opened: a later change of the
-- room does not touch a running game. options: as the creator named them, for people; params is what the
-- engine reads. server_seed is secret until the hand is over.
--
-- Chips at a table that a player opened: a stake of one of the rooms, all of which go into a pot that the
-- winners share, odd chips in turn order. Or a point value: each seat holds the most a hand can cost and pays
-- its points, and whoever won gets the sum. Chips keep their colour on the way; silver over the winner's cap
-- is lost.
CREATE TABLE tables (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room_id           text        REFERENCES rooms (id),
    variant           text        NOT NULL,
    params            text        NOT NULL,
    seats_n           smallint    NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    people_n          smallint    NOT NULL DEFAULT 0 CHECK (people_n BETWEEN 0 AND seats_n),
    takes_n           integer     NOT NULL DEFAULT 0, -- how often a seat was ever taken: numbers the stakes
    stake             bigint      NOT NULL CHECK (stake >= 0),
    reward            bigint      NOT NULL CHECK (reward >= 0),
    multiplier_tenths integer     NOT NULL CHECK (multiplier_tenths >= 0),
    state             text        NOT NULL DEFAULT 'waiting'
                                  CHECK (state IN ('waiting', 'playing', 'lost', 'finished', 'cancelled')),
    practice          boolean     NOT NULL DEFAULT false, -- no chips, no points
    solo_day         date,       -- the day whose count of solo games this one added to
    node              text        NOT NULL REFERENCES nodes (name),
    hand_no           integer     NOT NULL DEFAULT 1 CHECK (hand_no > 0),
    server_seed       bytea       NOT NULL CHECK (octet_length(server_seed) = 32),
    commit            bytea       NOT NULL CHECK (octet_length(commit) = 32),
    created_at        timestamptz NOT NULL DEFAULT now(),
    fill_at           timestamptz NOT NULL, -- waits for people until then
    started_at        timestamptz,
    ended_at          timestamptz,
    cancel_asked_at   timestamptz, -- an operator wants it ended: its node does it
    visibility        text        NOT NULL DEFAULT 'room'
        CHECK (visibility IN ('room', 'public', 'private', 'house')),
    creator_id        bigint      REFERENCES players (id),
    options           jsonb       NOT NULL DEFAULT '{}',
    bots_n            smallint    NOT NULL DEFAULT 0 CHECK (bots_n >= 0), -- seats kept for bots
    bot_level         smallint    CHECK (bot_level BETWEEN 1 AND 4),
    code              text,       -- enters a private table
    watch_delay_ms    integer     DEFAULT 0 CHECK (watch_delay_ms BETWEEN 0 AND 3600000),
    rematch_of        bigint      REFERENCES tables (id),
    point_value       smallint    NOT NULL DEFAULT 0 CHECK (point_value >= 0),
    -- Seats the creator kept for bots: whoever takes the place of one and leaves before the deal gives it
    -- back to a bot.
    bots_kept         smallint    NOT NULL DEFAULT 0 CHECK (bots_kept >= 0),
    -- When the node this table was taken over from was last heard, or passed it on, until the node that has
    -- it now starts again.
    stopped_at        timestamptz,
    bot_accounts      boolean     NOT NULL DEFAULT false, -- they may sit here
    turn_hours        smallint    CHECK (turn_hours > 0), -- of each turn; NULL: the clock of its variant
    asleep            boolean     NOT NULL DEFAULT false, -- no node has it in memory: see slow_turns
    deal_id           bigint      REFERENCES deals (id), -- its cards are those of others, too; NULL: its own
    tournament_id     bigint      REFERENCES tournaments (id),
    club_id           bigint, -- its members alone may come; it may be closed by now
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

-- The deal that all tables of a round play, of a tournament that is a duplicate. seed: the link of the chain
-- that it was made of (tournament_deal_link).
CREATE TABLE tournament_deals (
    tournament_id bigint  NOT NULL REFERENCES tournaments (id),
    round_no      integer NOT NULL CHECK (round_no > 0),
    deal_id       bigint  NOT NULL UNIQUE REFERENCES deals (id),
    seed          bytea   NOT NULL CHECK (octet_length(seed) = 32),
    PRIMARY KEY (tournament_id, round_no)
);

-- A table of a round. people_n: of its seats, the others are bots'. table_id NULL: drawn, not opened yet, or
-- a bye (seats_n 1). tries: how often it was
-- opened; one that was cancelled or lost is played again. over_at: its places are known. by_lot: lots decided
-- them.
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

-- lot: by which the draw put entrants in order. place, points: as the table ended; score, margin: what they
-- are worth, of a duplicate known when its round is over. deal_points: of a duplicate, the points as they are
-- compared, the more the better; NULL: there is nothing to compare, for the table had no result. beaten: of
-- the others in the same seat (compared), 2 for each that it beat, 1 for a tie.
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

-- player_id NULL: a bot. stake_silver and stake_gold are what the hold of this seat was made of.
-- live: its table has not ended; keeps a look for a player's tables from going through their past.
-- left_at: its player has left the running game for good, and a bot plays on.
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
-- Where somebody's name stands, once they are to be forgotten.
CREATE INDEX seats_past ON seats (player_id, table_id) WHERE NOT live AND player_id IS NOT NULL;

-- Single use; bound to player, table and seat. seat NULL: to watch the table; table_id NULL as well: to the
-- lobby.
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

-- The answer to whoever asked for a seat: code, and the way there when it is ok. repeated: the answer of an
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
-- that made it, so that one sent again after a crash gets its first answer; '' for bots and the clock.
-- time_bank_ms: what the seat has used of its time bank in the whole game, with a move made in it; a restart
-- reads it again. hand_clock_ms: what the turn that this move ended took of its player's hand clock, for the
-- same reason. The transaction that settles a game deletes its rows, for its records are written by then:
-- so this table stays as small as what is being played. No foreign key: it would cost a look-up for each
-- move; the epoch guards who writes.
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
) WITH ( -- rows come and go all the time
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- Whom running tables with turns of hours wait for (docs/slow-tables.md): the seat to move, or all who group
-- their cards, or may join the pool again. v: the version of the game with which that began. It is over at
-- due_at; NULL: the player is on vacation, and left_for is what they have afterwards. told: the player knows,
-- for they were connected, or by a notification.
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

-- Vacations, on which the clocks of a player's turns of hours stand still. used: of the days of that year, by
-- vacations that are over. since and until: of one that is on.
CREATE TABLE vacations (
    player_id bigint      PRIMARY KEY REFERENCES players (id),
    year      integer     NOT NULL,
    used      interval    NOT NULL,
    since     timestamptz,
    until     timestamptz,
    CHECK ((since IS NULL) = (until IS NULL))
);
CREATE INDEX vacations_until ON vacations (until) WHERE until IS NOT NULL;

-- Tables that no node can go on with (state 'lost'): what is to be written of them is refused for good, or
-- their rows do not play again. Nobody plays there any more, the stakes are held until an operator or the job
-- stale_tables ends the table with refunds, and what is known of it stays.
-- code: write_refused, replay_differs, rows_unreadable; data: what was refused, or where it differs.
-- record: of the hand that was played, as far as it plays again, or what stands below the last one; '' where
-- there is none.
CREATE TABLE lost_tables (
    table_id bigint      PRIMARY KEY REFERENCES tables (id),
    node     text        NOT NULL,
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    code     text        NOT NULL CHECK (code IN ('write_refused', 'replay_differs', 'rows_unreadable')),
    data     jsonb       NOT NULL,
    record   text        NOT NULL,
    ended_at timestamptz
);
-- Counted now and then, for /metrics and /readyz.
CREATE INDEX lost_tables_open ON lost_tables (table_id) WHERE ended_at IS NULL;

-- The journals of lost tables, kept for ever.
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

-- The hands of a game. A hand's server seed is drawn, and its commitment published, when the hand before it
-- ends; its client seeds are fixed when it is dealt; its record is written in the transaction that ends it.
-- client_seeds: by seat, each after a byte with its length, as the deal key is made of them; NULL until
-- dealt. ending, results, record: NULL until the hand is over.
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

-- What people say at a table. Kept with the table and so with its games; never part of a record. text: '' of
-- a chat line once its player is deleted. command: the client's id, so that one sent again is not said twice.
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

-- Double entry, guarded by the database itself (docs/ledger.md says why it is done this way):
--  * all postings of a transfer come in one INSERT and sum to zero in each currency;
--  * postings and transfers are never changed, deleted or truncated;
--  * balances move only by postings, and those of purses and holds never fall below zero.
-- The triggers are ENABLE ALWAYS: a session that plays replica does not pass them either.

-- One line of a transfer that is yet to be written.
CREATE TYPE ledger_leg AS (account_id bigint, amount bigint, reason text);

-- The same, with what it says of its transfer, for many transfers at a time.
CREATE TYPE ledger_line AS (
    cause      text,
    key        text,
    table_id   bigint,
    account_id bigint,
    amount     bigint,
    reason     text
);

-- Why chips move.
CREATE TABLE causes (
    cause text PRIMARY KEY,
    about text NOT NULL
);

-- purse: of a player. hold: of a player at a table; an empty one moves to the player's next table, so a
-- player has as many as they ever needed at once. The transfer of a line names the table that it was for.
-- pot: of a tournament, what its people have paid to enter.
-- house: where chips of a cause come from and go to; it has no stored balance, so that no row is locked by
-- every game that ends.
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

-- key: says what this is, once for ever ('settle:table:9'); printed ASCII without a space, so that no two of
-- them look alike. note: the reason, where one is due.
CREATE TABLE transfers (
    id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cause    text        NOT NULL REFERENCES causes (cause),
    key      text        NOT NULL UNIQUE CHECK (octet_length(key) <= 200 AND key COLLATE "C" ~ '^[!-~]+$'),
    table_id bigint      REFERENCES tables (id),
    note     text        NOT NULL DEFAULT '',
    at       timestamptz NOT NULL DEFAULT now() CHECK (isfinite(at))
);
CREATE INDEX transfers_table ON transfers (table_id) WHERE table_id IS NOT NULL;

-- reason: what this line is within its transfer. balance_after: of a purse or hold. The postings of an
-- account are numbered in the order in which they moved its balance. The guard says what foreign keys would:
-- one look for all lines of a statement instead of two for each line, and no lock on the rows of house
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

-- The chain: the hash of each transfer with its lines and the hash before it, in the order of the numbers
-- (docs/ledger.md). Written by ledger_seal, some seconds after the transfer, and never changed.
CREATE TABLE ledger_chain (
    transfer_id bigint PRIMARY KEY,
    hash        bytea  NOT NULL CHECK (octet_length(hash) = 32)
);

-- One row: how far the chain reaches. mark: the last number given out when the mark was made. writers: who
-- was writing transfers then, by the names of their virtual transactions; when none of them is left, no
-- transfer up to the mark can come any more.
CREATE TABLE ledger_seal (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    transfer_id bigint  NOT NULL DEFAULT 0,
    hash        bytea   NOT NULL DEFAULT '',
    mark        bigint  NOT NULL DEFAULT 0,
    writers     text[]  NOT NULL DEFAULT '{}'
);

-- The end of the chain on each day, for an operator to publish where nobody who may write here can.
CREATE TABLE ledger_heads (
    day         date        PRIMARY KEY,
    transfer_id bigint      NOT NULL,
    hash        bytea       NOT NULL CHECK (octet_length(hash) = 32),
    at          timestamptz NOT NULL DEFAULT now()
);

-- ==== Games ================================================================================================

-- Finished games. rated: enough people sat, and it counts for their ratings. bots_rated: it counts for those
-- of the bot accounts that sat there. practice: played without chips and points. The records are in `hands`.
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

-- player_id NULL: a bot. points: score at the table. game_points: of the place, opening and cards thrown.
-- silver, gold: change of the purses by this game, the stake counted. level_gold: rewards of the levels
-- gained. facts: what the table noticed: opening (sum of it), swaps (jokers swapped), buried, joker_out, and
-- throws (by the seats that drew next: how often they did, how often they took what this one had thrown).
-- variant: the game's, here as well so that a player's games of one variant are found without their others.
-- turns: of the seat; own_turns: those in which its player acted themselves. took_part: the player acted
-- in enough of them and had not left (took_part in db/functions/settle); only then the game brings them
-- anything; bots always do. same_people: the player had met each of the others too often that day
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

-- Who plays a deal, once. score: their points, the more the better; of who left the game less than any. void:
-- an operator ended the table, or it is lost; the cards were seen, so nobody plays again.
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
    ranked     boolean     NOT NULL, -- when it began (daily_ranking); others are on no board
    PRIMARY KEY (deal_id, player_id),
    CHECK ((state = 'playing') = (ended_at IS NULL)),
    CHECK ((state = 'done') = (score IS NOT NULL) AND (state = 'done') = (game_id IS NOT NULL)
           AND (state = 'done') = (points IS NOT NULL) AND (state = 'done') = (left_early IS NOT NULL))
);
CREATE INDEX deal_plays_running ON deal_plays (deal_id) WHERE state = 'playing';
CREATE INDEX deal_plays_board ON deal_plays (deal_id, score DESC, player_id) WHERE state = 'done';
CREATE INDEX deal_plays_player ON deal_plays (player_id);

-- How many plays of a deal came to each score: places and percent without looking at every play.
CREATE TABLE deal_scores (
    deal_id bigint  NOT NULL REFERENCES deals (id),
    score   integer NOT NULL,
    plays_n integer NOT NULL CHECK (plays_n > 0),
    PRIMARY KEY (deal_id, score)
);

-- What is played on each day, one deal a variant. options: of tables of one's own, numbers alone.
CREATE TABLE daily_variants (
    variant   text     PRIMARY KEY,
    position  smallint NOT NULL UNIQUE,
    seats_n   smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    options   jsonb    NOT NULL,
    bot_level smallint NOT NULL CHECK (bot_level BETWEEN 1 AND 3),
    best_high boolean  NOT NULL,
    open      boolean  NOT NULL DEFAULT true
);

-- Days by UTC. commit = SHA-256(seed), told from committed_at on. client_seed: made when the day begins to be
-- played, of what came in on the day before (daily_seeds), which is closed then.
CREATE TABLE daily_days (
    day          date        PRIMARY KEY,
    seed         bytea       NOT NULL CHECK (octet_length(seed) = 32),
    commit       bytea       NOT NULL CHECK (octet_length(commit) = 32),
    committed_at timestamptz NOT NULL DEFAULT now(),
    client_seed  bytea       CHECK (octet_length(client_seed) = 32),
    closed       boolean     NOT NULL DEFAULT false
);

-- Made when the first asks to play it.
CREATE TABLE daily_deals (
    day     date   NOT NULL REFERENCES daily_days (day),
    variant text   NOT NULL,
    deal_id bigint NOT NULL UNIQUE REFERENCES deals (id),
    PRIMARY KEY (day, variant)
);

-- What entrants of a day gave for the next day's client seed. Nobody's: they are told to everybody.
CREATE TABLE daily_seeds (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    day  date   NOT NULL REFERENCES daily_days (day),
    seed bytea  NOT NULL CHECK (octet_length(seed) BETWEEN 16 AND 32)
);
CREATE INDEX daily_seeds_day ON daily_seeds (day, id);

-- Finished games that were no practice. points: sum of game_points of the rated ones. places: how often
-- first, second, and so on. streak: rated wins in a row.
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

-- A seat of a game that is being settled. clover NULL: the game gives none. level_points: towards the level
-- after `level`, the one that the game leads to. room_position: of the room, where games count for leagues.
-- rated: it counts for this player's ratings, as a loss unless they took part.
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

-- What it pays of its stake and what it gains. pot: from and to other seats, not the house. lost: of the gain
-- in silver, what the purse has no room for.
CREATE TYPE settled_chips AS (
    pot         boolean,
    silver      bigint,
    gold        bigint,
    gain_silver bigint,
    gain_gold   bigint,
    lost        bigint
);

-- What points and levels are made of. level_from: Clover points that lead to each level from the first one
-- on; level_gold: what all levels up to each bring.
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

-- bonus_day: the last midnight that was credited. together_day: the last one that was credited in one
-- transfer with others; all up to it stay credited, even if bonus_day is set back. played_day: the last day
-- with a finished game, the last of `streak` consecutive ones.
CREATE TABLE player_days (
    player_id   bigint  PRIMARY KEY REFERENCES players (id),
    bonus_day   date    NOT NULL,
    together_day date,
    played_day  date,
    streak      integer NOT NULL DEFAULT 0 CHECK (streak >= 0),
    streak_best integer NOT NULL DEFAULT 0 CHECK (streak_best >= streak)
);
CREATE INDEX player_days_due ON player_days (bonus_day, player_id);

-- Solo games: those a player began alone with bots on a day of the settings' zone. Those of yesterday may
-- still be given back when a table is cancelled.
CREATE TABLE solo_games (
    player_id bigint  NOT NULL REFERENCES players (id),
    day       date    NOT NULL,
    games     integer NOT NULL CHECK (games >= 0),
    PRIMARY KEY (player_id, day)
);
CREATE INDEX solo_games_day ON solo_games (day);

-- How many games two people have finished together on a day of the settings' zone, the last on which they
-- met. Days that are past are removed, so the table remains small.
CREATE TABLE meetings (
    low_id  bigint  NOT NULL REFERENCES players (id),
    high_id bigint  NOT NULL REFERENCES players (id),
    day     date    NOT NULL,
    games   integer NOT NULL CHECK (games > 0),
    PRIMARY KEY (low_id, high_id),
    CHECK (low_id < high_id)
) WITH (fillfactor = 80);

-- ==== Boards ===============================================================================================

-- Leaderboards: rating, Clover points, wins and rummies, of all time and of each month, for each variant;
-- prizes of a month. Only rated games count. Bot accounts have boards of their own, rating and wins. The
-- boards follow the rows of `ratings`, which can be made again from the games alone.

-- bot: of a bot account, from games that are bots_rated; else from those that are rated. period: 'all', or a
-- calendar month 'YYYY-MM' by the zone of the settings. games: those in which the player took part. lost:
-- those since the first of them in which they did not; they count as games without points.
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

-- The variants there are boards of.
CREATE TABLE ranked_variants (variant text PRIMARY KEY);

-- An ordered list of players of any size: a leaderboard or the table of a league. The place of any player and
-- any page are found from counts that are kept, not taken anew, and a place is exact at every moment; nothing
-- here is a row that all games of the world wait for. A board is cut into pieces, those into parts:
-- board_tops says how many entries stand above each piece, board_pieces how many each part reaches to,
-- board_moves what has moved since these were added up. period: 'all', a month 'YYYY-MM', or of a league
-- '<season>:<position>'.
CREATE TABLE boards (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind    text    NOT NULL CHECK (kind IN ('rating', 'clover', 'wins', 'rummies', 'league', 'bot_rating',
                                           'bot_wins')),
    variant text    NOT NULL,
    period  text    NOT NULL,
    UNIQUE (kind, variant, period)
);

-- Higher scores first; the older account first among equal ones. A score may bear tie-breaks in its low bits.
-- A score is read from the index of players alone; that it changes costs nothing more, for each change makes
-- new entries in all indexes of the table anyway. No foreign keys: the rows these are made from have them.
CREATE TABLE board_entries (
    board_id  integer NOT NULL,
    player_id bigint  NOT NULL,
    score     bigint  NOT NULL,
    PRIMARY KEY (board_id, player_id) INCLUDE (score)
);
CREATE INDEX board_entries_order ON board_entries (board_id, score, (-player_id)) INCLUDE (player_id);

-- From the place (score, tie) up to the next piece. Its parts: where each begins, ascending, the first where
-- the piece does; and how many entries there are from there to the end of the piece, but for what board_moves
-- has.
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

-- Where the pieces of a board begin, ascending, and how many entries there are above each. The first begins
-- behind all places.
CREATE TABLE board_tops (
    board_id integer  PRIMARY KEY REFERENCES boards (id) ON DELETE CASCADE,
    scores   bigint[] NOT NULL,
    ties     bigint[] NOT NULL,
    above    bigint[] NOT NULL
) WITH (autovacuum_vacuum_threshold = 500);
ALTER TABLE board_tops
    ALTER scores SET STORAGE EXTERNAL, ALTER ties SET STORAGE EXTERNAL, ALTER above SET STORAGE EXTERNAL;

-- What came to a place of a board (1) or left it (-1) since its pieces were last added up.
CREATE TABLE board_moves (
    board_id integer  NOT NULL,
    score    bigint   NOT NULL,
    tie      bigint   NOT NULL,
    change   smallint NOT NULL CHECK (change IN (-1, 1))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX board_moves_order ON board_moves (board_id, score, tie) INCLUDE (change);

-- What a place on a month's leaderboard brings. Bot accounts have no chips.
CREATE TABLE month_prizes (
    variant text     NOT NULL,
    kind    text     NOT NULL CHECK (kind IN ('rating', 'clover', 'wins', 'rummies')),
    place   smallint NOT NULL CHECK (place > 0),
    gold    bigint   NOT NULL CHECK (gold > 0),
    PRIMARY KEY (variant, kind, place)
);

-- Months whose prizes are paid.
CREATE TABLE month_closings (
    period    text        PRIMARY KEY,
    closed_at timestamptz NOT NULL DEFAULT now()
);

-- Who won what in them.
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

-- position orders leagues, as that of rooms: league k counts games of room k and higher, and whoever is
-- promoted to it has that room unlocked. *_rating: by rating; *_places: fixed numbers, of those with enough
-- games. opens_players: closed until so many players of the league below bear the title of this league's
-- room; once open it stays open.
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

-- What a place in a league's season brings.
CREATE TABLE league_prizes (
    league_id text     NOT NULL REFERENCES leagues (id),
    place     smallint NOT NULL CHECK (place > 0),
    gold      bigint   NOT NULL CHECK (gold >= 0),
    PRIMARY KEY (league_id, place)
);

-- Where a league's table is cut at the end of a season. ranked: players with enough games. *_places: how
-- many go up and down by their place, NULL: the league does not count places. promote_to: the place down
-- to which those who have the next room are promoted. relegate_from: the place from which on those who are
-- not promoted are relegated. open: whether the next league is.
CREATE TYPE league_cuts AS (
    ranked          bigint,
    promote_places  bigint,
    promote_to      bigint,
    relegate_places bigint,
    relegate_from   bigint,
    open            boolean
);

-- coming: its games are counted, but who plays in which league is not known until the one before has ended.
-- opening: it is, and the tables are being made. open: the one that runs. closing: its end is being worked
-- on, step by step; it counts no more games. step and what follows it say how far that has come.
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
    cuts        league_cuts -- of the league at hand
);
CREATE UNIQUE INDEX seasons_running ON seasons ((true)) WHERE state IN ('opening', 'open', 'closing');

-- The league each player plays in.
CREATE TABLE league_members (
    player_id bigint   PRIMARY KEY REFERENCES players (id),
    position  smallint NOT NULL,
    since     integer  NOT NULL -- the season from which on
) WITH (fillfactor = 80);

-- The player's line in the table of their league in a season that runs or is over: games that counted there.
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

-- What was played, room by room: the truth all tables of leagues are made from.
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

-- What became of a player at the end of a season. place: in their league, those with enough games first; NULL
-- without a counted game. to_position: where they play next; NULL: nowhere, until they play again. rule: the
-- number or the league of that day's rules that the reason was measured by. Made a million at a time, so
-- without foreign keys: those cost a look-up for each row.
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
-- The few that bring prizes.
CREATE INDEX season_results_first ON season_results (season_no, place) WHERE place <= 100;
CREATE TABLE season_results_default PARTITION OF season_results DEFAULT;

-- ==== Achievements =========================================================================================

-- Earned when the counter reaches the goal. wins and win_streak count rated games only. A language makes its
-- sentence of the counter and the goal.
CREATE TABLE achievements (
    id       text     PRIMARY KEY,
    position smallint NOT NULL UNIQUE,
    gold     bigint   NOT NULL CHECK (gold >= 0),
    counter  text     NOT NULL,
    goal     bigint   NOT NULL CHECK (goal > 0)
);

-- Who has earned what, and the gold it brought on that day.
CREATE TABLE player_achievements (
    player_id      bigint      NOT NULL REFERENCES players (id),
    achievement_id text        NOT NULL REFERENCES achievements (id),
    gold           bigint      NOT NULL DEFAULT 0 CHECK (gold >= 0),
    earned_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, achievement_id)
);

-- One that was earned just now and is to be paid and told.
CREATE TYPE earned_achievement AS (player_id bigint, id text, counter text, goal bigint, gold bigint);

-- How far each player has come.
CREATE TABLE player_counters (
    player_id bigint NOT NULL REFERENCES players (id),
    counter   text   NOT NULL,
    n         bigint NOT NULL,
    PRIMARY KEY (player_id, counter)
);

-- What counts for players whose lock nobody holds: worked off by do_counts_due, a few at a time. No foreign
-- key: the end of a season makes these from rows that have it, and a check of each costs more than the row.
CREATE TABLE counts_due (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint      NOT NULL,
    counter   text        NOT NULL,
    n         bigint      NOT NULL,
    at        timestamptz NOT NULL DEFAULT now()
);

-- ==== Weekly quests ========================================================================================

-- What a week may ask for: of each slot one quest, the same for everybody (quests_of). Counted are the same
-- things as for achievements, in games of a variant or (NULL) of any, from the week's first midnight on.
-- on_offer: false: no week asks for it.
CREATE TABLE quests (
    id       text     PRIMARY KEY,
    slot     smallint NOT NULL CHECK (slot BETWEEN 1 AND 9),
    counter  text     NOT NULL,
    variant  text,
    goal     bigint   NOT NULL CHECK (goal > 0),
    gold     bigint   NOT NULL CHECK (gold >= 0),
    on_offer boolean  NOT NULL DEFAULT true
);

-- How far a player came with a quest in the week that began on a Monday; done_at: reached then, and gold is
-- what it brought. What was not done goes when the week is over.
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

-- One that was done just now and is to be paid and told.
CREATE TYPE done_quest AS (player_id bigint, week date, id text, counter text, variant text, goal bigint,
                           gold bigint);

-- ==== Administration =======================================================================================

-- Keys of operators and of their programs. A key is shown once, when it is made; only its hash is stored.
-- What a role may do stands in admin_rights; scopes (area:read, area:write) leave less of it, NULL all of it.
-- holder: the person or program that uses it, for two keys of one person are no second pair of eyes. prefix:
-- its first characters, by which its holder knows it. After a rotation the key before it is good until
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

-- What administrators did; never changed. key_id NULL: done at the console. code: how it ended ('ok', or why
-- it was refused).
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

-- The first answers by API key and idempotency key; kept as long as those of players. What an operator does
-- by hand is one transaction: role, repeat, deed, line in the log, stored answer; whatever kills the server
-- in between, it is done once or not at all.
CREATE TABLE admin_answers (
    key_id    bigint      NOT NULL REFERENCES api_keys (id),
    idem_key  text        NOT NULL CHECK (char_length(idem_key) BETWEEN 1 AND 64),
    body_hash bytea       NOT NULL,
    answer    jsonb       NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key_id, idem_key)
);
CREATE INDEX admin_answers_at ON admin_answers (at);

-- A call on its way from admin_begin to admin_end. answer: there is one already ({"code": …, "body": …}).
CREATE TYPE admin_call AS (
    key_id    bigint,
    action    text,
    detail    jsonb,
    idem_key  text,
    body_hash bytea,
    answer    jsonb
);

-- What operators note about players, and what they did to them. A sentence is made of it by whoever shows it.
CREATE TABLE player_notes (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint      NOT NULL REFERENCES players (id),
    key_id    bigint      NOT NULL REFERENCES api_keys (id),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    text      text        NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500), -- the operator's own words
    about     text        NOT NULL DEFAULT 'note'
                          CHECK (about IN ('note', 'ban', 'unban', 'mute', 'unmute', 'separate', 'reunite',
                                           'delete', 'keep', 'factor_off', 'rename', 'end_sessions')),
    hours     bigint      CHECK ((hours IS NOT NULL) = (about = 'mute')),
    other_id  bigint      REFERENCES players (id)
                          CHECK ((other_id IS NOT NULL) = (about IN ('separate', 'reunite')))
);
CREATE INDEX player_notes_player ON player_notes (player_id, id DESC);

-- Chips that operators give (amount above 0) or take. One that is waiting has to be approved by a second
-- person; after grant_days it has lapsed. note: the operator's own words. over_cap: silver of it that the
-- purse could not hold.
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

-- How often the strong bots take the throw before them, by variant and number of seats: measured by
-- `rummyd throw-rates`, for the report of collusion.
CREATE TABLE throw_rates (
    variant text     NOT NULL,
    seats_n smallint NOT NULL CHECK (seats_n BETWEEN 2 AND 6),
    chances bigint   NOT NULL CHECK (chances > 0),
    taken   bigint   NOT NULL CHECK (taken BETWEEN 0 AND chances),
    PRIMARY KEY (variant, seats_n)
);

-- Two players an operator wants at no table together, whichever of them comes later: what a report of
-- collusion ends in.
CREATE TABLE separations (
    low_id  bigint      NOT NULL REFERENCES players (id),
    high_id bigint      NOT NULL REFERENCES players (id),
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (low_id, high_id),
    CHECK (low_id < high_id)
);

-- ==== Social ===============================================================================================

-- from_id has asked to_id; friends when accepted_at is set (one row for both). Who is a friend is read from
-- the indexes alone: the rows of five hundred friendships are in as many places.
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

-- player_id does not hear other_id (muted), or is never seated with them (blocked).
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

-- What players report about each other, and operators work off: the oldest first, each closed once, with a
-- note. At a table, or of a club or a message to it (line_id), which may be gone by now: said is what was
-- reported, as it was then, and reported_id whose it was.
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

-- The code each player invites by.
CREATE TABLE invite_codes (
    player_id bigint PRIMARY KEY REFERENCES players (id),
    code      text   NOT NULL UNIQUE
);

-- state: open until the invited player is proved and has taken part in enough rated games with enough other
-- people; then paid, or over (the inviter had the most that are paid, or stands at the end of a long chain of
-- invitations), and the invited player alone is paid. owed: what an invitation brings is noted when it is
-- counted, and crossed off when the gold is there.
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

-- Open invitations whose player is proved and has played enough games: checked then, not at each read.
CREATE TABLE invites_due (
    invited_id bigint PRIMARY KEY REFERENCES invites (invited_id)
);

-- What a player is told: a line each, read or not. kind says what data holds; the page makes sentences of it.
CREATE SEQUENCE notifications_id;
CREATE TABLE notifications (
    id        bigint      NOT NULL DEFAULT nextval('notifications_id'),
    player_id bigint      NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    kind      text        NOT NULL
                          CHECK (kind IN ('level', 'season', 'league_prize', 'month_prize', 'achievement',
                                          'invite', 'friend', 'table_invite', 'your_turn', 'refund',
                                          'export', 'tournament_table', 'tournament_result',
                                          'tournament_cancelled', 'quest', 'club', 'invited')),
    data      jsonb       NOT NULL,
    read_at   timestamptz,
    PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
ALTER SEQUENCE notifications_id OWNED BY notifications.id;
CREATE INDEX notifications_player ON notifications (player_id, id DESC);
CREATE TABLE notifications_default PARTITION OF notifications DEFAULT;

-- ==== Clubs ================================================================================================

-- People who play together under a name. name_folded: no two are called the same. joining: whoever wants to
-- is a member at once (open), or when the owner accepts them (ask). members_n: without those who ask.
CREATE TABLE clubs (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
    name_folded text        COLLATE "C" NOT NULL UNIQUE,
    about       text        NOT NULL DEFAULT '' CHECK (char_length(about) <= 500),
    joining     text        NOT NULL DEFAULT 'ask' CHECK (joining IN ('open', 'ask')),
    members_n   integer     NOT NULL DEFAULT 0 CHECK (members_n >= 0),
    created_at  timestamptz NOT NULL DEFAULT now()
);

-- role asks: wants to be a member, and is none yet. at: since when they are what they are.
CREATE TABLE club_members (
    club_id   bigint      NOT NULL REFERENCES clubs (id) ON DELETE CASCADE,
    player_id bigint      NOT NULL REFERENCES players (id),
    role      text        NOT NULL CHECK (role IN ('owner', 'member', 'asks')),
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (club_id, player_id)
);
CREATE INDEX club_members_player ON club_members (player_id, club_id);
CREATE UNIQUE INDEX club_members_owner ON club_members (club_id) WHERE role = 'owner';

-- What members say to their club, the last club_chat_max messages of club_chat_days. text: '' once it was
-- deleted; such a row counts for how often its player has spoken, and is shown to nobody.
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

-- Accounts that are to be deleted or were (docs/operations.md says what becomes of what). key_id: the
-- operator who asked for it, on the person's word; NULL: they did it themselves. due_at: what is known of the
-- person is erased then, unless it is taken back before, which deletes the row. no: of the name that is shown
-- instead. erased_at: since then nobody can be told from it; at_table and done_at: how far their name has
-- been taken out of games, records and chat.
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
CREATE INDEX deletions_going_on ON deletions (player_id) WHERE erased_at IS NOT NULL AND done_at IS NULL;

-- A player's own data in one file (docs/export.md), made part by part (export_step) and forgotten after
-- expires_at. section and after_id: which row comes next. ready_at NULL: it is being made.
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

-- The file: its parts, each of whole lines, from 1 on.
CREATE TABLE export_parts (
    export_id bigint  NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
    part      integer NOT NULL CHECK (part > 0),
    text      text    NOT NULL,
    PRIMARY KEY (export_id, part)
);

-- ==== Shop =================================================================================================

-- Packs of gold for money. An order is a state machine held here; gold is credited once for each paid order,
-- and taken back with the money, whatever the order in which one hears of it (docs/shop.md).

-- Prices are in the smallest unit of the currency (cents). An order keeps what it was made with.
CREATE TABLE shop_packs (
    id          text     PRIMARY KEY CHECK (id ~ '^[a-z0-9_]{1,32}$'),
    position    smallint NOT NULL UNIQUE,
    name        text     NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    gold        bigint   NOT NULL CHECK (gold BETWEEN 1 AND 1000000),
    price_minor bigint   NOT NULL CHECK (price_minor BETWEEN 1 AND 100000000),
    currency    text     NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
    on_sale     boolean  NOT NULL DEFAULT true
);

-- What a store sells, by its own name, and the pack it buys. An operator's rows.
CREATE TABLE shop_products (
    store   text NOT NULL CHECK (store IN ('apple', 'google')),
    product text NOT NULL CHECK (product ~ '^[A-Za-z0-9_.]{1,128}$'),
    pack_id text NOT NULL REFERENCES shop_packs (id),
    PRIMARY KEY (store, product)
);

-- The changes of state an order may make. created: written down, the provider not asked yet. pending: the
-- provider knows it, the buyer may pay.
CREATE TABLE shop_transitions (
    from_state text NOT NULL,
    to_state   text NOT NULL,
    PRIMARY KEY (from_state, to_state)
);

-- token: the order's name outside, never that of an order of another database. expires_at: the buyer may pay
-- until. product: what was bought at a store, which took the money before there was an order; delivered_at:
-- when that store was told that the gold is there. payment_ref, paid_minor: the payment that bought the gold,
-- and what the buyer paid: less than the price with a coupon, 0 with one of 100 %. refunded_minor: money of
-- that payment that was given back. gold_back: gold taken back; gold_short: what should have been but was not
-- there.
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

-- What a state became, and when. Written by the guard alone.
CREATE TABLE shop_order_log (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint      NOT NULL REFERENCES shop_orders (id),
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    from_state text,
    to_state   text        NOT NULL,
    why        text        NOT NULL
);
CREATE INDEX shop_order_log_order ON shop_order_log (order_id, id);

-- The transfers of an order. what: paid (gold given), back (taken again), return (given again).
CREATE TABLE shop_transfers (
    transfer_id bigint PRIMARY KEY REFERENCES transfers (id),
    order_id    bigint NOT NULL REFERENCES shop_orders (id),
    what        text   NOT NULL CHECK (what IN ('paid', 'back', 'return')),
    gold        bigint NOT NULL CHECK (gold > 0)
);
CREATE INDEX shop_transfers_order ON shop_transfers (order_id);
CREATE UNIQUE INDEX shop_transfers_paid ON shop_transfers (order_id) WHERE what = 'paid';

-- Everything a provider told us about an order, once for each of its own ids. order_id NULL: of a payment
-- that is not known yet. subject: the dispute. amount_minor: NULL in what a store says, which names no
-- amounts: all of it. price_minor: of a payment, what it was for before discounts and taxes; NULL: what was
-- paid. part: of a refund, the amount is its own and not the sum so far. happened_at: when it happened, by
-- the provider's clock. What is given back so far is made from all events that are known each time.
-- contradicts: it names one order and the payment of another; flagged, and never applied.
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

-- How far the lists of what happened at a provider were read. asked_at: when one was begun last.
CREATE TABLE shop_lists (
    provider     text        PRIMARY KEY CHECK (provider ~ '^[a-z]{1,16}$'),
    listed_until timestamptz NOT NULL,
    asked_at     timestamptz NOT NULL
);

-- Money that an operator gives back: all that is left of an order's. The gold goes first, then the provider
-- is asked under the refund's own name (token), as often as it takes; if it refuses, the gold comes again. A
-- refund that it took on may fail days later: the bank sends the money back to us, and the gold goes back to
-- the buyer, once. state: asked until the provider has said something.
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

-- What a person has to look at. gold_short: gold that should be taken back is not there; gold is what is
-- still owed of it. amount_differs: another amount was paid than was asked for, or given back in another
-- currency. refund_failed: money that was given back came again. payment_of_another: an event named this
-- order and the payment of another one, and was applied to neither. paid_again: a second payment of an order
-- that was paid; it bought nothing, so it has to be given back (event: its name). provider_off: the order or
-- its refund waits for a provider that is switched off. event: what brought it, by the provider's name or
-- ours. amount_minor, currency: the money it is about; NULL when it is about gold.
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
-- Counted now and then, for /metrics.
CREATE INDEX shop_flags_open ON shop_flags (id) WHERE settled_at IS NULL;

-- ==== Jobs =================================================================================================

-- What a scheduler calls. every_s: how often it is to. grace_s: so much later it counts as overdue. by_time:
-- what it pays hangs on what time it is; called at an earlier time than it was done at, it is refused.
CREATE TABLE jobs (
    job     text        PRIMARY KEY,
    every_s bigint      NOT NULL CHECK (every_s > 0),
    grace_s bigint      NOT NULL CHECK (grace_s >= 0),
    since   timestamptz NOT NULL DEFAULT now(),
    done_at timestamptz,
    by_time boolean     NOT NULL DEFAULT false
);

-- One call of a job; a repeat with the same key goes on with it or gets its answer.
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

-- What one step of a job did. more: there is more to do.
CREATE TYPE job_step AS (more boolean, result jsonb);

-- What grows with time and is read by time is partitioned by it (docs/operations.md says what, what not, and
-- why). The job `partition_upkeep` makes and drops the partitions. What none has been made for goes to the
-- default partition, so a job that nobody runs refuses nothing.
-- kind: month (of UTC), season, table (ids of tables, which grow with time). width: so many of them in one
-- partition. ahead: partitions there are to be beyond the one at hand. keep: partitions kept before it; NULL:
-- all.
CREATE TABLE partitioned (
    parent text    PRIMARY KEY,
    key    text    NOT NULL,
    kind   text    NOT NULL CHECK (kind IN ('month', 'season', 'table')),
    width  integer NOT NULL CHECK (width > 0),
    ahead  integer NOT NULL CHECK (ahead > 0),
    keep   integer CHECK (keep > 0)
);

-- The partitions there are, beside the default ones. no: which piece of time it is.
CREATE TABLE partitions (
    parent  text        NOT NULL REFERENCES partitioned (parent),
    no      bigint      NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (parent, no)
);

-- ==== What is sent out by itself ===========================================================================

-- Where operators want to be told what happens. events: of api/webhook_events.def. failing_since: no delivery
-- has been taken since; after webhook_off_s of that, or when the receiver says that it is gone, off_at.
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

-- What deliveries to an endpoint are signed with, encrypted (api/webhook_secret.h). until: of the secret
-- before the one that counts, which signs beside it until then.
CREATE TABLE webhook_secrets (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id bigint      NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
    sealed      bytea       NOT NULL CHECK (octet_length(sealed) = 72),
    kid         text        NOT NULL,
    until       timestamptz
);
CREATE INDEX webhook_secrets_endpoint ON webhook_secrets (endpoint_id);

-- Where a player is told what happens while they are away. address: of a push service, or a token of one,
-- which whoever has it may push to. point, auth: what messages are encrypted with for it (RFC 8291). It is a
-- session's, and ends with it. here_until: its player is in the lobby of some node and is pushed nothing.
CREATE TABLE push_devices (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id  bigint      NOT NULL REFERENCES players (id),
    session_id bigint      NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind IN ('webpush', 'fcm', 'apns')),
    address    text        NOT NULL CHECK (char_length(address) BETWEEN 10 AND 500),
    point      bytea       CHECK (octet_length(point) = 65),
    auth       bytea       CHECK (octet_length(auth) = 16),
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at    timestamptz, -- when its service last took something
    here_until timestamptz,
    UNIQUE (kind, address),
    CHECK ((kind = 'webpush') = (point IS NOT NULL)),
    CHECK ((kind = 'webpush') = (auth IS NOT NULL))
);
CREATE INDEX push_devices_player ON push_devices (player_id);
CREATE INDEX push_devices_session ON push_devices (session_id);

-- Which notifications are pushed, and how. notification: their kind. needs: what their data must hold.
-- urgent: wakes a device that saves its battery. ttl_s: what could not be pushed for so long is news no more;
-- push services keep nothing longer than 28 days. topic: a member of the data; a push takes the place of
-- another of its kind that waits and has the same there; NULL: of any. wanted: by who has not said.
CREATE TABLE push_kinds (
    kind         text    PRIMARY KEY CHECK (kind ~ '^[a-z_]{1,32}$'),
    notification text    NOT NULL,
    needs        jsonb   NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(needs) = 'object'),
    urgent       boolean NOT NULL,
    ttl_s        integer NOT NULL CHECK (ttl_s BETWEEN 60 AND 28 * 86400),
    topic        text    CHECK (topic ~ '^[a-z_]{1,32}$'),
    wanted       boolean NOT NULL DEFAULT true
);

-- What players have said to a setting: push_ and a kind of push, or mail_your_turn, which only those get who
-- have asked for it.
CREATE TABLE push_settings (
    player_id bigint  REFERENCES players (id),
    setting   text    CHECK (setting ~ '^push_' OR setting = 'mail_your_turn'),
    wanted    boolean NOT NULL,
    PRIMARY KEY (player_id, setting)
);

-- What is to be sent over HTTP, put into the transaction of what it tells of and sent by any of the servers.
-- token: the id that the receiver sees, the same at each try. body: the bytes; for a device what they are
-- made of. taken: a server is at it,
-- until next_try. status: what the receiver said last; 0: nothing.
CREATE TABLE deliveries (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token       uuid        NOT NULL DEFAULT gen_random_uuid(),
    endpoint_id bigint      REFERENCES webhook_endpoints (id) ON DELETE CASCADE, -- to one of both
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
    said        text        CHECK (char_length(said) <= 160), -- why there was no answer
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
-- In a condition, depth 0 is a statement of a user. An empty hold may move to another table.
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
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('prize_shares');
CREATE TRIGGER pay_daily_before_games AFTER INSERT ON games
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION pay_daily_before_games();
CREATE TRIGGER note_players_played AFTER INSERT ON game_players
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_players_played();
CREATE TRIGGER begin_player_days AFTER INSERT ON players
    FOR EACH ROW WHEN (NEW.kind <> 'bot') EXECUTE FUNCTION begin_player_days();

-- --- boards and leagues

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
CREATE TRIGGER tell_news AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION tell_news();
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
    FOR EACH ROW WHEN (NEW.name IN ('invite_games', 'invite_people')) EXECUTE FUNCTION invite_terms_changed();

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
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('shop');
CREATE CONSTRAINT TRIGGER shop_order_proven AFTER INSERT OR UPDATE ON shop_orders
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE CONSTRAINT TRIGGER shop_transfer_proven AFTER INSERT ON shop_transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop_order_proven();
CREATE TRIGGER shop_transfer_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_transfers
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('shop');
CREATE TRIGGER shop_log_guard BEFORE INSERT ON shop_order_log
    FOR EACH ROW EXECUTE FUNCTION shop_log_guard();
CREATE TRIGGER shop_log_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON shop_order_log
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('shop');
CREATE TRIGGER shop_event_guard BEFORE UPDATE ON shop_events
    FOR EACH ROW EXECUTE FUNCTION shop_event_guard();
CREATE TRIGGER shop_event_forgotten BEFORE DELETE ON shop_events
    FOR EACH ROW EXECUTE FUNCTION shop_event_forgotten();
CREATE TRIGGER shop_event_kept BEFORE TRUNCATE ON shop_events
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('shop');
CREATE CONSTRAINT TRIGGER shop_transfer_of_order AFTER INSERT ON transfers
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.cause IN ('shop', 'shop_back'))
    EXECUTE FUNCTION shop_transfer_of_order();
CREATE TRIGGER shop_refund_guard BEFORE UPDATE ON shop_refunds
    FOR EACH ROW EXECUTE FUNCTION shop_refund_guard();
CREATE TRIGGER shop_refund_kept BEFORE DELETE OR TRUNCATE ON shop_refunds
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('shop');

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
    FOR EACH STATEMENT EXECUTE FUNCTION rows_kept('audit');
ALTER TABLE audit ENABLE ALWAYS TRIGGER audit_kept;
