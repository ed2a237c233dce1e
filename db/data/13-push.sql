-- Kinds of push notifications. Existing rows are kept.

INSERT INTO push_kinds (kind, notification, needs, urgent, ttl_s, topic) VALUES
    ('friend',           'friend',           '{"state": "asks"}', true,  86400, 'player_id'),
    ('table_invite',     'table_invite',     '{}',                true,  86400, 'player_id'),
    ('your_turn',        'your_turn',        '{}',                true,  86400, 'table_id'),
    ('tournament_table', 'tournament_table', '{}',                true,  300,   'table_id'),
    ('season',           'season',           '{}',                false, 86400, NULL)
ON CONFLICT DO NOTHING;
