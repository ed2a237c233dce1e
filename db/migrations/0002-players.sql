-- Players and how they prove who they are.

CREATE TABLE players (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind          text   NOT NULL CHECK (kind IN ('guest', 'registered')),
    role          text   NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'admin')),
    nickname      text   NOT NULL CHECK (char_length(nickname) BETWEEN 1 AND 24),
    avatar        text   NOT NULL DEFAULT '' CHECK (char_length(avatar) <= 32),
    level         integer NOT NULL DEFAULT 1 REFERENCES levels (level),
    level_points  bigint NOT NULL DEFAULT 0 CHECK (level_points >= 0), -- towards the next level
    clover_points bigint NOT NULL DEFAULT 0 CHECK (clover_points >= 0), -- ever won
    banned_at     timestamptz,
    deleted_at    timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- E-mail is stored in lower case. password_hash is a libsodium string (argon2id).
CREATE TABLE credentials (
    player_id     bigint PRIMARY KEY REFERENCES players (id),
    email         text   NOT NULL UNIQUE CHECK (email = lower(email) AND char_length(email) BETWEEN 3 AND 254),
    password_hash text   NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- A guest is known by a secret his device keeps; only its hash is stored.
CREATE TABLE guest_devices (
    device_hash bytea  PRIMARY KEY CHECK (octet_length(device_hash) = 32),
    player_id   bigint NOT NULL REFERENCES players (id),
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX guest_devices_player ON guest_devices (player_id);

-- Rotated at each use; a token seen twice revokes its family.
CREATE TABLE refresh_tokens (
    token_hash bytea  PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    family     uuid   NOT NULL,
    player_id  bigint NOT NULL REFERENCES players (id),
    issued_at  timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    revoked_at timestamptz
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_player ON refresh_tokens (player_id);
CREATE INDEX refresh_tokens_expires ON refresh_tokens (expires_at);

-- subject: 'account:<email>' or 'address:<ip>'.
CREATE TABLE login_failures (
    subject text NOT NULL,
    at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX login_failures_subject ON login_failures (subject, at);

-- First answers by idempotency key. Written in the transaction whose answer it is.
CREATE TABLE idempotency (
    player_id bigint NOT NULL REFERENCES players (id),
    key       text   NOT NULL CHECK (char_length(key) BETWEEN 1 AND 128),
    action    text   NOT NULL,
    body_hash bytea  NOT NULL,
    answer    jsonb  NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, key)
);
CREATE INDEX idempotency_at ON idempotency (at);
