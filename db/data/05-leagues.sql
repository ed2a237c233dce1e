-- Leagues, one per room, their prizes, and the first season. For a new database only, so that rows that an
-- operator removed do not return.

INSERT INTO leagues (id, position, name, promote_rating, promote_places, relegate_rating, relegate_places,
                     opens_players, open)
SELECT l.*
FROM (VALUES
    ('desert',   1, 'Desert',   6700, NULL::integer, NULL::integer, NULL::integer, NULL::integer, true),
    ('tundra',   2, 'Tundra',   7000, NULL, 6200, NULL, NULL, true),
    ('steppe',   3, 'Steppe',   7300, NULL, 6500, NULL, NULL, true),
    ('savannah', 4, 'Savannah', NULL, 20,   NULL, 20,   NULL, true),
    ('oasis',    5, 'Oasis',    NULL, 10,   NULL, 20,   NULL, true),
    ('forest',   6, 'Forest',   NULL, NULL, NULL, 10,   20,   false)
) AS l
WHERE (SELECT code = '' FROM schema_state);

INSERT INTO league_prizes (league_id, place, gold)
SELECT p.id, n, CASE n WHEN 1 THEN p.first WHEN 2 THEN p.second WHEN 3 THEN p.third ELSE p.rest END
FROM (VALUES ('desert', 50, 30, 20, 10), ('tundra', 100, 60, 40, 20), ('steppe', 150, 90, 60, 30),
             ('savannah', 200, 120, 80, 40), ('oasis', 250, 150, 100, 50), ('forest', 300, 180, 120, 60))
     AS p (id, first, second, third, rest)
CROSS JOIN generate_series(1, 10) n
WHERE (SELECT code = '' FROM schema_state);

INSERT INTO seasons (no, starts_at, ends_at, state)
SELECT 1, midnight_of(s.day), midnight_of(s.day + setting_int('season_days')::integer), 'open'
FROM (SELECT local_day(now()) AS day) s
WHERE (SELECT code = '' FROM schema_state);
