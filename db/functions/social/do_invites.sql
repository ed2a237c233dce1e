CREATE OR REPLACE FUNCTION do_invites(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('code', do_invite_code(p_player), 'gold', setting_int('invite_gold'),
        'level', setting_int('invite_level'), 'paid_max', setting_int('invites_paid_max'),
        'paid', (SELECT count(*) FROM invites WHERE inviter_id = p_player AND state = 'paid'),
        'items', coalesce((SELECT jsonb_agg(jsonb_build_object('nickname', p.nickname, 'level', p.level,
                                                               'at', rfc3339(i.at),
                                            'state', i.state) ORDER BY i.at DESC)
                           FROM (SELECT * FROM invites WHERE inviter_id = p_player ORDER BY at DESC
                                 LIMIT 100) i
                           JOIN players p ON p.id = i.invited_id), '[]'))::text;
END $$;

COMMENT ON FUNCTION do_invites IS
'A player''s code and invitations as JSON.
Called by api.';
