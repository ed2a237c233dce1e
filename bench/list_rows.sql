-- Adds 100,000 rows to each table that lists are read from, for `bench/run lists`. Run this as superuser on
-- a database in which the readers are the only players. 1 in 20 games, notifications, and postings belongs
-- to a reader, and each reader has 200 friends. The books do not balance, because the database is dropped
-- afterward.
SET session_replication_role = replica;
ALTER TABLE shop_orders DISABLE TRIGGER USER;
ALTER TABLE audit DISABLE TRIGGER USER;
ALTER TABLE transfers DISABLE TRIGGER USER;
ALTER TABLE postings DISABLE TRIGGER USER;

CREATE TEMP TABLE readers AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM players;
CREATE TEMP TABLE made AS SELECT * FROM generate_series(0, 99999) g;
CREATE FUNCTION pg_temp.reader(g bigint) RETURNS bigint LANGUAGE sql AS
    'SELECT id FROM readers WHERE n = g % (SELECT count(*) FROM readers)';

INSERT INTO players (kind, nickname, nickname_folded, level) SELECT 'guest', 'Player ' || g,
       'player ' || g, 1 + g % 20 FROM made;
INSERT INTO name_keys (key, player_id)
SELECT nickname_folded, id FROM players WHERE nickname_folded LIKE 'player %';
CREATE TEMP TABLE people AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM players;
CREATE UNIQUE INDEX ON people (n);
ANALYZE people;

INSERT INTO tables (variant, params, seats_n, people_n, stake, reward, multiplier_tenths, state, node,
                    server_seed, commit, created_at, fill_at, started_at, ended_at, visibility, creator_id)
SELECT CASE g % 2 WHEN 0 THEN 'rummy51' ELSE 'straight' END, '', 4, 4, 0, 0, 10,
       CASE WHEN g % 1000 = 0 THEN 'cancelled' ELSE 'finished' END,
       (SELECT min(name) FROM nodes), decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), t,
       t, t, t, 'public', 1
FROM (SELECT g, now() - (100000 - g) * interval '1 minute' AS t FROM made ORDER BY g) x;
INSERT INTO seats (table_id, seat, player_id, nickname, live)
SELECT t.id, s, p.id, 'Player', false
FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM tables) t, generate_series(0, 3) s
JOIN LATERAL (SELECT (t.n * 7919 + s * 25000) % 100000 AS at) x ON true JOIN people p ON p.n = x.at;
INSERT INTO games (table_id, hand_no, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                   practice, ending, moves_n, server_seed, commit, started_at, ended_at)
SELECT id, 1, variant, '', 0, 0, 10, 4, false, true, 'out', 99, '', '', started_at,
       ended_at FROM tables ORDER BY id;
INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
       cards_left, won, rummy, left_early, variant)
SELECT g.id, s.seat, CASE WHEN s.seat = 0 AND g.id % 20 = 0 THEN pg_temp.reader(g.id / 20) ELSE s.player_id
       END,
       'Player', '', '', s.seat + 1, 10, true, 0, s.seat = 0, false, false, g.variant
FROM games g JOIN seats s ON s.table_id = g.table_id;

INSERT INTO notifications (player_id, kind, data)
SELECT CASE WHEN g % 20 = 0 THEN pg_temp.reader(g / 20) ELSE p.id END, 'level',
       '{"level": 2}' FROM made JOIN people p ON p.n = g ORDER BY g;
INSERT INTO friends (from_id, to_id, accepted_at)
SELECT r.id, p.id, now() FROM readers r, generate_series(1, 200) s JOIN people p ON p.n = 1000 + s * 400;
INSERT INTO friends (from_id, to_id, accepted_at)
SELECT p.id, q.id, now() FROM people p JOIN people q ON q.n = (p.n + 37) % 100000 WHERE p.n BETWEEN 1000 AND
       90999 ON CONFLICT DO NOTHING;

INSERT INTO boards (kind, variant, period) VALUES ('rating', 'rummy51', 'all') ON CONFLICT DO NOTHING;
INSERT INTO board_entries (board_id, player_id, score)
SELECT b.id, p.id, 1000 + p.n * 7919 % 1500 FROM people p, boards b WHERE (b.kind, b.variant,
       b.period) = ('rating', 'rummy51', 'all') ON CONFLICT DO NOTHING;

INSERT INTO transfers (cause, key) SELECT 'grant', 'list:' || g FROM made ORDER BY g;
INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)
SELECT 1000000 + t.id, t.id, a.id, 1, 'grant', 1
FROM transfers t JOIN LATERAL (SELECT CASE WHEN t.id % 20 = 0 THEN pg_temp.reader(t.id / 20) END AS reader) r
       ON true
JOIN LATERAL (SELECT id FROM accounts WHERE kind = 'purse' AND currency = 'gold' AND player_id =
       coalesce(r.reader, -1)) a ON true
WHERE t.key LIKE 'list:%';

INSERT INTO shop_orders (player_id, idem_key, body_hash, pack_id, gold, price_minor, currency, provider,
       state, expires_at, paid_at, created_at)
SELECT p.id, 'k' || g, '', (SELECT min(id) FROM shop_packs), 300, 499, 'eur', 'stripe', s.state, now(),
       CASE WHEN s.state = 'paid' THEN now() END, now() - (100000 - g) * interval '1 minute'
FROM made JOIN people p ON p.n = g * 7919::bigint % 100000
JOIN LATERAL (SELECT CASE WHEN g % 1000 = 0 THEN 'failed' WHEN g % 10 = 0 THEN 'expired' ELSE 'paid' END AS
       state) s ON true ORDER BY g;
INSERT INTO audit (at, key_id, action, detail, code)
SELECT now() - (100000 - g) * interval '1 minute', (SELECT min(id) FROM api_keys),
       CASE WHEN g % 1000 = 0 THEN 'ban' ELSE 'read:player' END,
       jsonb_build_object('player', g::text), 'ok' FROM made ORDER BY g;
RESET session_replication_role;
SELECT board_fold(id) FROM boards;
VACUUM ANALYZE;
