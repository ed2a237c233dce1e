CREATE OR REPLACE FUNCTION q_invite_link(p_code text)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.id IS NULL THEN 'invite_unknown' ELSE 'ok' END,
           jsonb_build_object('host', jsonb_build_object('nickname', p.nickname, 'avatar', p.avatar),
                              'invited_gold', setting_int('invited_gold'))::text
    FROM (SELECT 1) one
    LEFT JOIN players p ON p.id = inviter_of(p_code) AND p.deleted_at IS NULL AND p.banned_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.player_id = p.id)
$$;

COMMENT ON FUNCTION q_invite_link IS
'The owner of an invitation code, and the reward for a new account, as JSON. Anyone who has the link may read
it.
Refusals: invite_unknown (also when the inviter is banned or about to leave, as in invite_refusal).
Called by api, q_page.';
