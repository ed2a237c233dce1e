-- Games for `bench/run collusion`. Run this as superuser on an empty database. It adds 200,000 games of the
-- last 30 days and as many older ones, each with four of 20,000 players and their discards to each other. A
-- hundred pairs meet far more often. The books do not balance, because the database is dropped afterward.
SET session_replication_role = replica;
INSERT INTO players (kind, nickname, nickname_folded) SELECT 'guest', 'Player ' || g, 'player ' || g
FROM generate_series(1, 20000) g;
CREATE TEMP TABLE people AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM players;
CREATE UNIQUE INDEX ON people (n);
CREATE TEMP TABLE made AS
SELECT g, now() - (400000 - g) * interval '13 seconds' AS at,
       CASE WHEN g % 80 < 2 THEN g / 80 % 100 END AS pair -- pairs that keep meeting
FROM generate_series(1, 400000) g;
INSERT INTO nodes (name, epoch) VALUES ('n1', 1) ON CONFLICT DO NOTHING;
INSERT INTO tables (variant, params, seats_n, people_n, stake, reward, multiplier_tenths, state, node,
                    server_seed, commit, created_at, fill_at, started_at, ended_at, visibility, creator_id)
SELECT 'rummy51', '', 4, 4, 0, 0, 10, 'finished', 'n1', decode(repeat('00', 32), 'hex'),
       decode(repeat('00', 32), 'hex'), at, at, at, at, 'public', 1
FROM made ORDER BY g;
INSERT INTO games (table_id, hand_no, variant, params, stake, reward, multiplier_tenths, people_n, rated,
                   practice, ending, moves_n, server_seed, commit, started_at, ended_at)
SELECT id, 1, variant, '', 10, 20, 10, 4, true, false, 'out', 99, '', '', started_at, ended_at FROM tables
ORDER BY id;
INSERT INTO game_players (game_id, seat, player_id, nickname, avatar, client_seed, place, points, opened,
                          cards_left, won, rummy, left_early, variant, silver, facts)
SELECT x.id, s, p.id, 'Player', '', '', 1 + (x.n + s) % 4, 10, true, 0, (x.n + s) % 4 = 0, false, false, 'rummy51',
       CASE WHEN (x.n + s) % 4 = 0 THEN 40 ELSE 0 END,
       jsonb_build_object('throws',
                          jsonb_build_object(((s + 1) % 4)::text, jsonb_build_array(12, x.n * s % 5)))
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM games) x JOIN made m ON m.g = x.n
CROSS JOIN generate_series(0, 3) s
JOIN people p ON p.n = CASE WHEN s < 2 AND m.pair IS NOT NULL THEN m.pair * 2 + s
                            ELSE (x.n * 7919 + s * 5003 + x.n / 20000 * 37 * s) % 20000 END;
RESET session_replication_role;
VACUUM ANALYZE;
