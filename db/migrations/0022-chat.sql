-- What people say at a table, who does not want to hear or meet whom, and what is reported.

-- Kept with the table and so with its games; never part of a record. command: the client's id, so that one sent
-- again is not said twice.
CREATE TABLE table_chat (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id  bigint   NOT NULL REFERENCES tables (id),
    player_id bigint   NOT NULL REFERENCES players (id),
    seat      smallint NOT NULL,
    kind      text     NOT NULL CHECK (kind IN ('chat', 'emote')),
    text      text     NOT NULL CHECK (char_length(text) BETWEEN 1 AND 200),
    command   text     NOT NULL CHECK (char_length(command) <= 36),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (table_id, player_id, command)
);
CREATE INDEX table_chat_table ON table_chat (table_id, id);

-- player_id does not hear other_id (muted), or is never seated with him (blocked).
CREATE TABLE player_bars (
    player_id bigint NOT NULL REFERENCES players (id),
    other_id  bigint NOT NULL REFERENCES players (id),
    muted     boolean NOT NULL DEFAULT false,
    blocked   boolean NOT NULL DEFAULT false,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (player_id, other_id),
    CHECK (player_id <> other_id),
    CHECK (muted OR blocked)
);
CREATE INDEX player_bars_other ON player_bars (other_id) WHERE blocked;

-- What an operator looks at. state: open, closed.
CREATE TABLE reports (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reporter_id bigint NOT NULL REFERENCES players (id),
    reported_id bigint NOT NULL REFERENCES players (id),
    table_id    bigint NOT NULL REFERENCES tables (id),
    reason      text   NOT NULL CHECK (reason IN ('insult', 'cheating', 'stalling', 'name', 'other')),
    text        text   NOT NULL DEFAULT '' CHECK (char_length(text) <= 500),
    state       text   NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
    at          timestamptz NOT NULL DEFAULT now(),
    UNIQUE (reporter_id, reported_id, table_id)
);
CREATE INDEX reports_open ON reports (id) WHERE state = 'open';

-- No more chatting before this time; set by an operator.
ALTER TABLE players ADD COLUMN chat_muted_until timestamptz;

INSERT INTO settings (name, value, about) VALUES
    ('bars_per_player_max', '1000', 'players one player may mute or block');

-- code: ok, repeated (said before under this id), not_seated, chat_muted. deaf: bit for each seat that does not
-- hear the speaker.
CREATE FUNCTION do_chat(p_player bigint, p_table bigint, p_seat integer, p_kind text, p_text text, p_command text)
    RETURNS TABLE (code text, id bigint, at timestamptz, deaf integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_said table_chat;
    v_deaf integer;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player AND s.seat = p_seat)
       OR EXISTS (SELECT 1 FROM players p WHERE p.id = p_player AND p.chat_muted_until > now()) THEN
        RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM players p
                                              WHERE p.id = p_player AND p.chat_muted_until > now())
                                 THEN 'chat_muted' ELSE 'not_seated' END, NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    INSERT INTO table_chat (table_id, player_id, seat, kind, text, command)
    VALUES (p_table, p_player, p_seat, p_kind, p_text, p_command)
    ON CONFLICT (table_id, player_id, command) DO NOTHING RETURNING * INTO v_said;
    IF v_said.id IS NULL THEN
        RETURN QUERY SELECT 'repeated', NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    SELECT coalesce(sum(1 << s.seat), 0) INTO v_deaf FROM seats s
    JOIN player_bars b ON b.player_id = s.player_id AND b.other_id = p_player AND b.muted
    WHERE s.table_id = p_table;
    RETURN QUERY SELECT 'ok', v_said.id, v_said.at, v_deaf;
END $$;

-- Sets what is given; NULL leaves as it is. code: ok, no_such_player (he who asks), no_such_other, too_many_bars.
CREATE FUNCTION do_bar(p_player bigint, p_other bigint, p_muted boolean, p_blocked boolean)
    RETURNS TABLE (code text, muted boolean, blocked boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_muted   boolean;
    v_blocked boolean;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF p_player = p_other OR NOT EXISTS (SELECT 1 FROM players p WHERE p.id = p_other) THEN
        RETURN QUERY SELECT 'no_such_other', NULL::boolean, NULL::boolean;
        RETURN;
    END IF;
    SELECT b.muted, b.blocked INTO v_muted, v_blocked FROM player_bars b WHERE b.player_id = p_player AND b.other_id = p_other;
    IF NOT FOUND AND (SELECT count(*) FROM player_bars b WHERE b.player_id = p_player) >= setting_int('bars_per_player_max') THEN
        RETURN QUERY SELECT 'too_many_bars', NULL::boolean, NULL::boolean;
        RETURN;
    END IF;
    v_muted := coalesce(p_muted, v_muted, false);
    v_blocked := coalesce(p_blocked, v_blocked, false);
    IF v_muted OR v_blocked THEN
        INSERT INTO player_bars (player_id, other_id, muted, blocked) VALUES (p_player, p_other, v_muted, v_blocked)
        ON CONFLICT (player_id, other_id) DO UPDATE SET muted = v_muted, blocked = v_blocked;
    ELSE
        DELETE FROM player_bars b WHERE b.player_id = p_player AND b.other_id = p_other;
    END IF;
    RETURN QUERY SELECT 'ok', v_muted, v_blocked;
END $$;

-- One report of a player for a table: a second one changes nothing. code: ok, no_such_table (or not one's own),
-- no_such_seat_there (free, a bot's, one's own).
CREATE FUNCTION do_report(p_player bigint, p_table bigint, p_seat integer, p_reason text, p_text text)
    RETURNS TABLE (code text, id bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_other bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.player_id = p_player) THEN
        RETURN QUERY SELECT 'no_such_table', NULL::bigint;
        RETURN;
    END IF;
    SELECT s.player_id INTO v_other FROM seats s
    WHERE s.table_id = p_table AND s.seat = p_seat AND s.player_id IS NOT NULL AND s.player_id <> p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_seat_there', NULL::bigint;
        RETURN;
    END IF;
    INSERT INTO reports (reporter_id, reported_id, table_id, reason, text)
    VALUES (p_player, v_other, p_table, p_reason, p_text) ON CONFLICT DO NOTHING;
    RETURN QUERY SELECT 'ok', r.id FROM reports r
                 WHERE r.reporter_id = p_player AND r.reported_id = v_other AND r.table_id = p_table;
END $$;
