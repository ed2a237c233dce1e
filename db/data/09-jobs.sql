-- Jobs that a scheduler calls. Existing rows are kept, because an operator may have changed them.
INSERT INTO jobs (job, every_s, grace_s, by_time) VALUES
    ('season_rollover',  3600,  7200,   true),
    ('daily_bonus',      86400, 21600,  true),
    ('monthly_prizes',   86400, 86400,  true),
    ('stale_tables',     600,   3600,   false),
    ('erase_players',    3600,  86400,  false),
    ('upkeep',           3600,  7200,   false),
    ('partition_upkeep', 86400, 172800, false)
ON CONFLICT DO NOTHING;

INSERT INTO partitioned (parent, key, kind, width, ahead, keep) VALUES
    ('notifications',  'at',        'month',  1,       2, 12),
    ('league_games',   'season_no', 'season', 1,       2, 24),
    ('league_rows',    'season_no', 'season', 1,       2, 24),
    ('season_results', 'season_no', 'season', 1,       2, 72),
    ('hands',          'table_id',  'table',  1000000, 1, NULL)
ON CONFLICT DO NOTHING;
