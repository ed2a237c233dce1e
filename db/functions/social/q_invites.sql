CREATE OR REPLACE FUNCTION q_invites(p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object(
        'code', (SELECT c.code FROM invite_codes c WHERE c.player_id = p_player),
        'acceptance', invite_acceptance(p_player),
        'gold', setting_int('invite_gold'), 'invited_gold', setting_int('invited_gold'),
        'games', setting_int('invite_games'), 'people', setting_int('invite_opponents'),
        'paid_max', setting_int('invites_paid_max'),
        'paid', (SELECT count(*) FROM invites WHERE inviter_id = p_player AND state = 'paid'),
        'items', coalesce((SELECT jsonb_agg(jsonb_build_object(
                               'nickname', p.nickname, 'level', p.level,
                               'games', least((SELECT coalesce(sum(s.rated), 0) FROM player_stats s
                                               WHERE s.player_id = p.id), setting_int('invite_games')),
                               'at', rfc3339(i.at), 'state', i.state) ORDER BY i.at DESC)
                           FROM (SELECT * FROM invites WHERE inviter_id = p_player ORDER BY at DESC
                                 LIMIT 100) i
                           JOIN players p ON p.id = i.invited_id), '[]'))::text
$$;

COMMENT ON FUNCTION q_invites IS
'A player''s code (null if none has been created yet), whether they may still accept an invitation, and
their invitations, as JSON.
Called by api, do_invites.';
