-- Sessions of several hands. A hand's server seed is drawn, and its commitment published, when the hand before it
-- ends; its client seeds are fixed when it is dealt; its record is written in the transaction that ends it. The
-- journal of a session is folded away when the session is settled, so that a command keeps its one answer across hands.

-- client_seeds: by seat, each after a byte with its length, as the deal key is made of them; NULL until dealt.
-- ending, results, record: NULL until the hand is over.
CREATE TABLE hands (
    table_id     bigint  NOT NULL REFERENCES tables (id),
    hand_no      integer NOT NULL CHECK (hand_no > 0),
    server_seed  bytea   NOT NULL CHECK (octet_length(server_seed) = 32),
    commit       bytea   NOT NULL CHECK (octet_length(commit) = 32),
    client_seeds bytea,
    dealt_at     timestamptz,
    ended_at     timestamptz,
    ending       text    CHECK (ending IN ('out', 'no_cards', 'stalled', 'last')),
    results      jsonb,
    record       text,
    PRIMARY KEY (table_id, hand_no),
    CHECK ((client_seeds IS NULL) = (dealt_at IS NULL)),
    CHECK ((ended_at IS NULL) = (ending IS NULL) AND (ended_at IS NULL) = (results IS NULL)
           AND (ended_at IS NULL) = (record IS NULL)),
    CHECK (ended_at IS NULL OR dealt_at IS NOT NULL)
);

CREATE FUNCTION pack_seeds(p_seeds bytea[]) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(set_byte('\x00', 0, octet_length(s)) || s, '' ORDER BY n)
    FROM unnest(p_seeds) WITH ORDINALITY AS u (s, n)
$$;

-- In hexadecimal digits, by seat.
CREATE FUNCTION unpack_seeds(p_packed bytea) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_seeds text[] := '{}';
    v_at    integer := 0;
BEGIN
    WHILE v_at < octet_length(p_packed) LOOP
        v_seeds := v_seeds || encode(substr(p_packed, v_at + 2, get_byte(p_packed, v_at)), 'hex');
        v_at := v_at + 1 + get_byte(p_packed, v_at);
    END LOOP;
    RETURN v_seeds;
END $$;

-- Hands that were played before there was this table.
INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at, ended_at, ending, results, record)
SELECT g.table_id, g.hand_no, g.server_seed, g.commit, pack_seeds(array_agg(p.client_seed ORDER BY p.seat)), g.started_at,
       g.ended_at, g.ending,
       jsonb_agg(jsonb_build_object('seat', p.seat, 'place', p.place, 'points', p.points, 'total', p.points,
                                    'opened', p.opened, 'cards_left', p.cards_left, 'won', p.won, 'rummy', p.rummy,
                                    'left', p.left_early) ORDER BY p.seat), g.record
FROM games g JOIN game_players p ON p.game_id = g.id
GROUP BY g.id;
INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
SELECT t.id, t.hand_no, t.server_seed, t.commit, pack_seeds(array_agg(s.client_seed ORDER BY s.seat)), t.started_at
FROM tables t JOIN seats s ON s.table_id = t.id
WHERE t.state = 'playing'
GROUP BY t.id;
ALTER TABLE games DROP COLUMN record;

-- A waiting table's seats take seeds, and those of a table between two hands.
CREATE FUNCTION do_set_seed(p_table bigint, p_seat integer, p_seed bytea, p_epoch bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE seats s SET client_seed = p_seed
    FROM tables t, nodes n
    WHERE t.id = s.table_id AND n.name = t.node AND n.epoch = p_epoch AND s.table_id = p_table AND s.seat = p_seat
      AND (t.state = 'waiting'
           OR t.state = 'playing' AND EXISTS (SELECT 1 FROM hands h WHERE h.table_id = t.id AND h.hand_no = t.hand_no
                                              AND h.dealt_at IS NULL));
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'seed_too_late' END;
END $$;

-- As before; the first hand is dealt with it.
CREATE OR REPLACE FUNCTION do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer,
                                          p_client_seeds bytea[])
    RETURNS TABLE (code text, practice boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
    v_practice boolean := false;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state = 'playing' THEN 'already_done'
                   WHEN v_table.state <> 'waiting' THEN 'table_over'
                   WHEN v_table.people_n = 0 THEN 'table_empty'
                   WHEN v_table.people_n + v_table.bots_n < v_table.seats_n
                        AND NOT coalesce((SELECT bots FROM rooms WHERE id = v_table.room_id), false)
                   THEN 'seats_free'
                   WHEN cardinality(p_bot_nicknames) < v_table.seats_n - v_table.people_n
                        OR cardinality(p_client_seeds) <> v_table.seats_n THEN 'too_few_bots'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        INSERT INTO seats (table_id, seat, bot_level, nickname)
        SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
        FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n FROM generate_series(0, v_table.seats_n - 1) g
              WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
        SELECT p_table, v_table.hand_no, v_table.server_seed, v_table.commit,
               pack_seeds(array_agg(s.client_seed ORDER BY s.seat)), now()
        FROM seats s WHERE s.table_id = p_table;
        v_practice := v_table.practice;
        IF v_table.people_n = 1 AND NOT v_table.practice THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;

-- Ends a hand: its results and record. With a seed (p_next_seed) another one follows: it is promised by its
-- commitment and waits for client seeds. p_results as do_settle_table has them, with each seat's total.
-- code: ok, already_done, no_such_table, stale_epoch, not_playing.
CREATE FUNCTION do_end_hand(p_table bigint, p_epoch bigint, p_hand integer, p_ending text, p_results jsonb,
                            p_record text, p_next_seed bytea, p_next_commit bytea) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_hand  hands;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_hand.ended_at IS NOT NULL THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' OR v_hand.dealt_at IS NULL THEN 'not_playing'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    IF v_code = 'ok' AND p_next_seed IS NOT NULL THEN
        INSERT INTO hands (table_id, hand_no, server_seed, commit)
        VALUES (p_table, p_hand + 1, p_next_seed, p_next_commit);
        UPDATE tables SET hand_no = p_hand + 1, server_seed = p_next_seed, commit = p_next_commit WHERE id = p_table;
        UPDATE seats SET client_seed = '' WHERE table_id = p_table AND client_seed <> '';
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

-- Deals the promised hand with the client seeds that are there.
-- code: ok, already_done, no_such_table, stale_epoch, not_playing.
CREATE FUNCTION do_deal_hand(p_table bigint, p_epoch bigint, p_hand integer, p_client_seeds bytea[])
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_hand  hands;
    v_code  text;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    SELECT * INTO v_hand FROM hands WHERE table_id = p_table AND hand_no = p_hand;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN v_hand.dealt_at IS NOT NULL THEN 'already_done'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state <> 'playing' OR v_hand.table_id IS NULL THEN 'not_playing'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        UPDATE hands SET client_seeds = pack_seeds(p_client_seeds), dealt_at = now()
        WHERE table_id = p_table AND hand_no = p_hand;
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

-- As before. p_record is that of the last hand and ends it, empty when the session ended between hands: then the hand
-- that was promised is forgotten. p_results may say each seat's total and who has won, several too.
CREATE OR REPLACE FUNCTION store_game(p_table tables, p_ending text, p_results jsonb, p_record text) RETURNS games
    LANGUAGE plpgsql AS $$
DECLARE
    v_game   games;
    v_hand   hands;
    v_stored bigint;
BEGIN
    DELETE FROM hands WHERE table_id = p_table.id AND dealt_at IS NULL;
    IF p_record <> '' THEN
        UPDATE hands SET ended_at = now(), ending = p_ending, results = p_results, record = p_record
        WHERE table_id = p_table.id AND ended_at IS NULL;
    END IF;
    SELECT * INTO STRICT v_hand FROM hands WHERE table_id = p_table.id ORDER BY hand_no DESC LIMIT 1;
    INSERT INTO games (table_id, hand_no, room_id, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                       practice, ending, moves_n, server_seed, commit, started_at)
    VALUES (p_table.id, v_hand.hand_no, p_table.room_id, p_table.variant, p_table.params, p_table.stake,
            p_table.reward, p_table.multiplier_tenths, p_table.people_n,
            p_table.people_n >= setting_int('rated_people_min') AND p_table.visibility <> 'private', p_table.practice,
            p_ending, (SELECT count(*) FROM journal WHERE table_id = p_table.id), v_hand.server_seed, v_hand.commit,
            p_table.started_at)
    RETURNING * INTO v_game;
    INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                              cards_left, won, rummy, left_early, game_points)
    SELECT v_game.id, s.seat, s.player_id, s.nickname, s.avatar,
           decode(coalesce((unpack_seeds(v_hand.client_seeds))[s.seat + 1], ''), 'hex'), r.place,
           coalesce(r.total, r.points), r.opened,
           r.cards_left, coalesce(r.won, r.place = 1 AND p_ending = 'out'), r.rummy, r."left",
           game_points(p_table.variant, r.place, r.opened, r.cards_left)
    FROM jsonb_to_recordset(p_results) AS r (seat smallint, place smallint, points integer, total integer, opened boolean,
                                             cards_left smallint, won boolean, rummy boolean, "left" boolean)
    JOIN seats s ON s.table_id = p_table.id AND s.seat = r.seat;
    GET DIAGNOSTICS v_stored = ROW_COUNT;
    IF v_stored <> p_table.seats_n OR jsonb_array_length(p_results) <> p_table.seats_n THEN
        RAISE EXCEPTION 'results of table % name % of % seats', p_table.id, v_stored, p_table.seats_n;
    END IF;
    RETURN v_game;
END $$;
