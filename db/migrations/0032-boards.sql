-- Ordered lists of players of any size: leaderboards and the tables of leagues. The place of any player and any page are
-- found without counting those before him one by one: every so many entries a sample says how many stand before it, and
-- what has moved since the samples were taken is noted beside them. So a place is exact at every moment, and nothing here is a
-- row that all games of the world wait for.

INSERT INTO settings (name, value, about) VALUES
    ('board_sample_every', '256',  'entries between two samples of a board'),
    ('board_moves_max',    '1000', 'moves after which the samples of a board are taken anew');

-- kind: rating, clover, wins, rummies, league. period: 'all', a month 'YYYY-MM', or of a league '<season>:<position>'.
CREATE TABLE boards (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind    text NOT NULL CHECK (kind IN ('rating', 'clover', 'wins', 'rummies', 'league')),
    variant text NOT NULL,
    period  text NOT NULL,
    UNIQUE (kind, variant, period)
);

-- Higher scores first; the older account first among equal ones. A score may bear tie-breaks in its low bits.
CREATE TABLE board_entries (
    board_id  integer NOT NULL REFERENCES boards (id),
    player_id bigint  NOT NULL REFERENCES players (id),
    score     bigint  NOT NULL,
    PRIMARY KEY (board_id, player_id)
);
CREATE INDEX board_entries_order ON board_entries (board_id, score, (-player_id));

-- before_n entries stood before the place (score, tie) when it was taken; tie is -player_id.
CREATE TABLE board_samples (
    board_id integer NOT NULL REFERENCES boards (id),
    score    bigint  NOT NULL,
    tie      bigint  NOT NULL,
    before_n bigint  NOT NULL
);
CREATE INDEX board_samples_order ON board_samples (board_id, score, tie);

CREATE TABLE board_moves (
    board_id integer  NOT NULL,
    score    bigint   NOT NULL,
    tie      bigint   NOT NULL,
    change   smallint NOT NULL CHECK (change IN (-1, 1))
);
CREATE INDEX board_moves_order ON board_moves (board_id, score, tie) INCLUDE (change);

CREATE FUNCTION board_note_new() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;
CREATE FUNCTION board_note_old() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows;
    RETURN NULL;
END $$;
CREATE FUNCTION board_note_both() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_moves SELECT board_id, score, -player_id, -1 FROM old_rows
    UNION ALL SELECT board_id, score, -player_id, 1 FROM new_rows;
    RETURN NULL;
END $$;
CREATE TRIGGER board_new AFTER INSERT ON board_entries REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION board_note_new();
CREATE TRIGGER board_old AFTER DELETE ON board_entries REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION board_note_old();
CREATE TRIGGER board_both AFTER UPDATE ON board_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION board_note_both();

-- The board, made when it is first needed.
CREATE FUNCTION board_of(p_kind text, p_variant text, p_period text) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    v_id integer;
BEGIN
    SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    IF NOT FOUND THEN
        INSERT INTO boards (kind, variant, period) VALUES (p_kind, p_variant, p_period)
        ON CONFLICT (kind, variant, period) DO NOTHING;
        SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    END IF;
    RETURN v_id;
END $$;

CREATE FUNCTION board_set(p_board integer, p_player bigint, p_score bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_entries AS e (board_id, player_id, score) VALUES (p_board, p_player, p_score)
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

-- How many entries stand before the place (p_score, p_player), plus one.
CREATE FUNCTION board_place(p_board integer, p_score bigint, p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_sample board_samples;
    v_before bigint;
BEGIN
    SELECT * INTO v_sample FROM board_samples
    WHERE board_id = p_board AND (score, tie) >= (p_score, -p_player) ORDER BY score, tie LIMIT 1;
    IF v_sample.board_id IS NULL THEN
        RETURN (SELECT count(*) + 1 FROM board_entries
                WHERE board_id = p_board AND (score, -player_id) > (p_score, -p_player));
    END IF;
    SELECT coalesce(sum(change), 0) INTO v_before FROM board_moves
    WHERE board_id = p_board AND (score, tie) > (v_sample.score, v_sample.tie);
    RETURN (SELECT v_sample.before_n + v_before + count(*) + 1 FROM board_entries
            WHERE board_id = p_board AND (score, -player_id) > (p_score, -p_player)
              AND (score, -player_id) <= (v_sample.score, v_sample.tie));
END $$;

-- Takes the samples of a board anew. One statement, so that entries and moves are seen at one moment: a move that is
-- committed meanwhile stays noted.
CREATE FUNCTION board_sample(p_board integer) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd board ' || p_board, 0));
    WITH moves AS (
        DELETE FROM board_moves WHERE board_id = p_board
    ), samples AS (
        DELETE FROM board_samples WHERE board_id = p_board
    )
    INSERT INTO board_samples (board_id, score, tie, before_n)
    SELECT p_board, score, tie, n - 1
    FROM (SELECT score, -player_id AS tie, row_number() OVER (ORDER BY score DESC, (-player_id) DESC) AS n
          FROM board_entries WHERE board_id = p_board) e
    WHERE n % setting_int('board_sample_every') = 0;
END $$;

-- Called by the server now and then: boards on which much has moved, p_max of them. Returns how many there were.
CREATE FUNCTION do_sample_boards(p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_boards integer[] := ARRAY(SELECT board_id FROM board_moves GROUP BY board_id
                                HAVING count(*) > setting_int('board_moves_max') ORDER BY board_id LIMIT p_max);
    v_board  integer;
BEGIN
    FOREACH v_board IN ARRAY v_boards LOOP
        PERFORM board_sample(v_board);
    END LOOP;
    RETURN cardinality(v_boards);
END $$;
