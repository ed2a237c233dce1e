-- Variants with leaderboards.
INSERT INTO ranked_variants (variant) VALUES
    ('rummy51'), ('rummy40'), ('straight'), ('rami'), ('treff'), ('points'), ('pool101'), ('pool201'),
    ('deals2'), ('deals3')
ON CONFLICT DO NOTHING;

-- Prizes of monthly leaderboards. For a new database only, so that rows that an operator removed do not
-- return.
INSERT INTO month_prizes (variant, kind, place, gold)
SELECT 'rummy51', k.kind, p.place, CASE k.kind WHEN 'rating' THEN p.gold ELSE p.gold / 2 END
FROM unnest(ARRAY[200, 150, 100, 80, 60, 50, 40, 30, 20, 10]) WITH ORDINALITY AS p (gold, place)
CROSS JOIN unnest(ARRAY['rating', 'clover', 'wins', 'rummies']) AS k (kind)
WHERE (SELECT code = '' FROM schema_state);
