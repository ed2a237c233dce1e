-- Rooms and their points per place. For a new database only, so that rows that an operator removed do not
-- return.

INSERT INTO rooms (id, position, name, variant, seats_n, stake, reward, multiplier_tenths, title, bots,
                   bot_level, fill_wait_ms, open)
SELECT r.*
FROM (VALUES
    ('desert',   1, 'Desert',   'rummy51', 4, 10, 10, 10, 'Ant',      true,  1, 5000,  true),
    ('tundra',   2, 'Tundra',   'rummy51', 4, 20, 25, 22, 'Frog',     true,  2, 8000,  true),
    ('steppe',   3, 'Steppe',   'rummy51', 4, 30, 40, 34, 'Snake',    false, 3, 15000, true),
    ('savannah', 4, 'Savannah', 'rummy51', 4, 40, 55, 46, 'Wolf',     false, 3, 15000, true),
    ('oasis',    5, 'Oasis',    'rummy51', 4, 50, 75, 58, 'Eagle',    false, 3, 15000, true),
    ('forest',   6, 'Forest',   'rummy51', 4, 60, 90, 70, 'Elephant', false, 3, 15000, true)
) AS r (id, position, name, variant, seats_n, stake, reward, multiplier_tenths, title, bots, bot_level,
        fill_wait_ms, open)
WHERE (SELECT code = '' FROM schema_state);

INSERT INTO place_points (variant, place, points)
SELECT p.*
FROM (VALUES ('rummy51', 1, 80), ('rummy51', 2, 65), ('rummy51', 3, 50), ('rummy51', 4, 35)) AS p
WHERE (SELECT code = '' FROM schema_state);
