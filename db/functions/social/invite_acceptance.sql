CREATE OR REPLACE FUNCTION invite_acceptance(p_player bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN p.kind <> 'registered' THEN 'guest'
        WHEN EXISTS (SELECT 1 FROM invites WHERE invited_id = p.id) THEN 'used'
        WHEN coalesce(least((SELECT c.created_at FROM credentials c WHERE c.player_id = p.id),
                            (SELECT min(i.created_at) FROM identities i WHERE i.player_id = p.id)),
                      p.created_at) < now() - make_interval(secs => setting_int('invite_accept_s'))
            THEN 'late'
        ELSE 'open' END
    FROM players p WHERE p.id = p_player
$$;

COMMENT ON FUNCTION invite_acceptance IS
'Whether a player may still accept an invitation. open: they may; guest: they have no account yet; used:
they have an inviter; late: invite_accept_s have passed since the account was registered (time as a guest
does not count).
Called by do_accept_invite, q_invites.';
