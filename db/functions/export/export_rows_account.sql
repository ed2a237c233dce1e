CREATE OR REPLACE FUNCTION export_rows_account(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF p_section = 'account' THEN
        RETURN QUERY
        SELECT 1::bigint, jsonb_build_object(
            'id', p.id::text, 'kind', p.kind, 'nickname', p.nickname, 'avatar', p.avatar,
            'nickname_changed_at', rfc3339(p.nickname_changed_at),
            'names_kept', coalesce((SELECT jsonb_agg(jsonb_build_object('key', n.key,
                                                                        'until', rfc3339(n.until))
                                                     ORDER BY n.until, n.key)
                                    FROM name_keys n WHERE n.player_id = p.id AND n.until > now()), '[]'),
            'email', c.email, 'email_verified_at', rfc3339(p.email_verified_at), 'language', p.language,
            'created_at', rfc3339(p.created_at), 'level', p.level, 'level_points', p.level_points,
            'clover_points', p.clover_points, 'banned_at', rfc3339(p.banned_at),
            'chat_muted_until', rfc3339(p.chat_muted_until), 'deletion', deletion_json(p.id),
            'second_factor_since', (SELECT rfc3339(f.on_at) FROM totp_factors f WHERE f.player_id = p.id),
            'guest_device', EXISTS (SELECT 1 FROM guest_devices g WHERE g.player_id = p.id),
            'known_devices', coalesce((SELECT jsonb_agg(rfc3339(d.used_at) ORDER BY d.used_at)
                                       FROM known_devices d WHERE d.player_id = p.id), '[]'),
            'push', push_settings_json(p.id), 'vacation', vacation_json(p.id),
            'invite_code', (SELECT i.code FROM invite_codes i WHERE i.player_id = p.id),
            'invited_by', (SELECT export_person(i.inviter_id) FROM invites i WHERE i.invited_id = p.id),
            'days', (SELECT jsonb_build_object('bonus', d.bonus_day, 'played', d.played_day,
                                               'streak', d.streak, 'best_streak', d.streak_best)
                     FROM player_days d WHERE d.player_id = p.id))
        FROM players p LEFT JOIN credentials c ON c.player_id = p.id
        WHERE p.id = p_player AND p_after < 1;
    ELSIF p_section = 'sessions' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('app', app, 'system', system, 'network', network,
                                      'created_at', rfc3339(created_at), 'used_at', rfc3339(used_at),
                                      'over_at', rfc3339(least(idle_at, over_at)),
                                      'ended_at', rfc3339(ended_at))
        FROM sessions WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'devices' THEN
        RETURN QUERY
        SELECT id, push_device_json(d, NULL) FROM push_devices d
        WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'passkeys' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('name', name, 'algorithm', algorithm, 'backed_up', backed_up,
                                      'transports', to_jsonb(transports), 'created_at', rfc3339(created_at),
                                      'used_at', rfc3339(used_at))
        FROM passkeys WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'identities' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('issuer', issuer, 'subject', subject, 'email', email,
                                      'created_at', rfc3339(created_at), 'used_at', rfc3339(used_at))
        FROM identities WHERE player_id = p_player AND id > p_after ORDER BY id LIMIT p_max;
    ELSIF p_section = 'mails' THEN
        RETURN QUERY
        SELECT id, jsonb_build_object('address', address, 'kind', template, 'created_at', rfc3339(created_at),
                                      'sent_at', rfc3339(sent_at))
        FROM mails WHERE player_id = p_player AND id > p_after
            AND address = (SELECT email FROM credentials WHERE player_id = p_player)
        ORDER BY id LIMIT p_max;
    ELSIF p_section = 'limits' THEN
        RETURN QUERY
        SELECT 1::bigint, limits_json(p_player) WHERE p_after < 1;
    ELSE
        RAISE EXCEPTION 'there is no section %', p_section;
    END IF;
END $$;

COMMENT ON FUNCTION export_rows_account IS
'Rows about the account: profile, sessions and push devices, recent emails, limits.
Called by export_rows.';
