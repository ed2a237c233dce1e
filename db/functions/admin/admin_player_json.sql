CREATE OR REPLACE FUNCTION admin_player_json(p_player bigint) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'email', c.email, 'level', p.level,
        'clover_points', p.clover_points, 'created_at', rfc3339(p.created_at),
        'banned_at', rfc3339(p.banned_at),
        'chat_muted_until', CASE WHEN p.chat_muted_until > now() THEN rfc3339(p.chat_muted_until) END,
        'deleted_at', rfc3339(p.deleted_at),
        'deletion', (SELECT jsonb_build_object('asked_at', rfc3339(d.asked_at), 'due_at', rfc3339(d.due_at),
                                               'key', (SELECT name FROM api_keys WHERE id = d.key_id),
                                               'waits_for', to_jsonb(deletion_waits_for(p.id)))
                     FROM deletions d WHERE d.player_id = p.id AND d.erased_at IS NULL),
        'silver', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'silver')),
        'gold', (SELECT balance FROM accounts WHERE id = account_purse(p.id, 'gold')),
        'tables', coalesce((SELECT jsonb_agg(s.table_id::text ORDER BY s.table_id) FROM seats s
                            WHERE s.player_id = p.id AND s.live), '[]'),
        'orders', (SELECT count(*) FROM shop_orders o WHERE o.player_id = p.id),
        'reports', (SELECT count(*) FROM reports r WHERE r.reported_id = p.id),
        'invited_by', (SELECT inviter_id::text FROM invites WHERE invited_id = p.id),
        'notes', coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                               'at', rfc3339(n.at), 'key', k.name, 'about', n.about, 'text', n.text,
                               'hours', n.hours, 'other', n.other_id::text)) ORDER BY n.id DESC)
                           FROM (SELECT * FROM player_notes WHERE player_id = p.id ORDER BY id DESC
                                 LIMIT 50) n
                           JOIN api_keys k ON k.id = n.key_id), '[]'))
    FROM players p LEFT JOIN credentials c ON c.player_id = p.id WHERE p.id = p_player
$$;

COMMENT ON FUNCTION admin_player_json IS
'A player as an operator sees them.
Called by do_admin_ban, do_admin_deletion, do_admin_end_sessions, do_admin_factor_off, do_admin_mute,
do_admin_note, do_admin_player, do_admin_rename, do_admin_separate.';
