-- Prize distribution of tournaments, in hundredths of a percent. Existing rows are kept.
INSERT INTO prize_tables (id) VALUES ('standard'), ('winner') ON CONFLICT DO NOTHING;

INSERT INTO prize_shares (prize_table, entries_min, place, share)
SELECT z.prize_table, z.entries_min, s.place, s.share
FROM (VALUES
    ('standard', 1,  '{10000}'::integer[]),
    ('standard', 4,  '{6500,3500}'),
    ('standard', 8,  '{5000,3000,2000}'),
    ('standard', 16, '{4000,2500,1500,1200,800}'),
    ('standard', 50, '{3000,2000,1300,1000,800,600,500,300,250,250}'),
    ('winner',   1,  '{10000}')) z (prize_table, entries_min, shares)
CROSS JOIN LATERAL unnest(z.shares) WITH ORDINALITY s (share, place)
ON CONFLICT DO NOTHING;
