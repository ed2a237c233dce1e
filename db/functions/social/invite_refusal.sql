CREATE OR REPLACE FUNCTION invite_refusal(p_player bigint, p_inviter bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT EXISTS (SELECT 1 FROM players
                         WHERE id = p_inviter AND deleted_at IS NULL AND banned_at IS NULL
                               AND NOT EXISTS (SELECT 1 FROM deletions d WHERE d.player_id = p_inviter))
                           THEN 'invite_unknown'
        WHEN p_inviter = p_player THEN 'invite_self'
        WHEN EXISTS (SELECT 1 FROM invites WHERE invited_id = p_player) THEN 'invite_used'
        -- two players who invite each other, or a longer circle
        WHEN EXISTS (WITH RECURSIVE above (id, n) AS (
                         SELECT p_inviter, 0 UNION ALL
                         SELECT i.inviter_id, a.n + 1 FROM above a JOIN invites i ON i.invited_id = a.id
                         WHERE a.n < 16)
                     SELECT 1 FROM above WHERE id = p_player) THEN 'invite_circle'
        WHEN (SELECT count(*) FROM invites WHERE inviter_id = p_inviter AND at > now() - interval '1 day')
             >= setting_int('invites_per_day_max') THEN 'invite_full' END
$$;

COMMENT ON FUNCTION invite_refusal IS
'Why this player (NULL: one being created) may not use a code; NULL: they may. The caller holds the
inviter''s lock.
Refusals: invite_unknown, invite_self, invite_used, invite_circle, invite_full.
Called by do_accept_invite, do_enter_registered, do_enter_upgraded.';
