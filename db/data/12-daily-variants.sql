-- Variants and options of the daily deals: sessions that take a few minutes. An operator may remove one or
-- change its options; a deal that has begun is not affected.
INSERT INTO daily_variants (variant, position, seats_n, options, bot_level, best_high) VALUES
    ('rummy51',  1, 4, '{}',                    3, false),
    ('straight', 2, 4, '{"target": 50}',        3, true),
    ('treff',    3, 4, '{"session_hands": 1}',  3, true),
    ('rummy40',  4, 4, '{"session_hands": 1}',  3, false),
    ('rami',     5, 4, '{"session_hands": 1}',  3, false),
    ('points',   6, 4, '{}',                    3, false),
    ('pool101',  7, 3, '{}',                    3, false),
    ('pool201',  8, 3, '{}',                    3, false),
    ('deals2',   9, 2, '{}',                    3, true),
    ('deals3',  10, 2, '{}',                    3, true)
ON CONFLICT DO NOTHING;
