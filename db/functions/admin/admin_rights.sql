CREATE OR REPLACE FUNCTION admin_rights()
    RETURNS TABLE (action text, area text, writes boolean, roles text[])
    LANGUAGE sql IMMUTABLE AS $$
    VALUES
        ('job:list',            'jobs',         false, '{jobs,support,money,games}'::text[]),
        ('job:run',             'jobs',         true,  '{jobs}'),
        ('read:ledger_proof',   'ledger',       false, '{jobs,money}'),
        ('read:players',        'players',      false, '{support,money,games}'),
        ('read:player',         'players',      false, '{support,money,games}'),
        ('note',                'players',      true,  '{support,money,games}'),
        ('ban',                 'players',      true,  '{support,games}'),
        ('unban',               'players',      true,  '{support,games}'),
        ('mute',                'players',      true,  '{support,games}'),
        ('rename',              'players',      true,  '{support}'),
        ('end_sessions',        'players',      true,  '{support}'),
        ('factor_off',          'players',      true,  '{support}'),
        ('delete',              'players',      true,  '{support}'),
        ('keep',                'players',      true,  '{support}'),
        ('separate',            'players',      true,  '{support,games}'),
        ('read:collusion',      'players',      false, '{support,games}'),
        ('read:reports',        'reports',      false, '{support,games}'),
        ('close_report',        'reports',      true,  '{support,games}'),
        ('read:orders',         'orders',       false, '{support,money}'),
        ('read:order',          'orders',       false, '{support,money}'),
        ('refund',              'orders',       true,  '{money}'),
        ('read:flags',          'orders',       false, '{support,money}'),
        ('settle_flag',         'orders',       true,  '{money}'),
        ('read:grants',         'grants',       false, '{support,money}'),
        ('grant',               'grants',       true,  '{support,money}'),
        ('approve_grant',       'grants',       true,  '{money}'),
        ('refuse_grant',        'grants',       true,  '{money}'),
        ('read:tables',         'tables',       false, '{support,games}'),
        ('read:table',          'tables',       false, '{support,games}'),
        ('cancel_table',        'tables',       true,  '{games}'),
        ('read:lost_tables',    'tables',       false, '{games}'),
        ('read:lost_moves',     'tables',       false, '{games}'),
        ('read:lost_record',    'tables',       false, '{games}'),
        ('read:season_preview', 'seasons',      false, '{games}'),
        ('read:rooms',          'rooms',        false, '{support,games}'),
        ('open_room',           'rooms',        true,  '{games}'),
        ('change_room',         'rooms',        true,  '{games}'),
        ('read:packs',          'packs',        false, '{support,money}'),
        ('change_pack',         'packs',        true,  '{money}'),
        ('read:achievements',   'achievements', false, '{support,games}'),
        ('change_achievement',  'achievements', true,  '{games}'),
        ('read:audit',          'audit',        false, '{}'),
        ('read:keys',           'keys',         false, '{}'),
        ('read:key',            'keys',         false, '{}'),
        ('make_key',            'keys',         true,  '{}'),
        ('rotate_key',          'keys',         true,  '{}'),
        ('revoke_key',          'keys',         true,  '{}')
$$;

COMMENT ON FUNCTION admin_rights IS
'Who may do what with an API key: the action as the log names it, the area that a scope names (players:read,
players:write), whether it changes something, and the roles that may. The role owner may do everything. What
is not here is refused.
Called by admin_key_may, make_api_key.';
