CREATE OR REPLACE FUNCTION is_proved(p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM players WHERE id = p_player AND email_verified_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM passkeys WHERE player_id = p_player)
        OR EXISTS (SELECT 1 FROM identities WHERE player_id = p_player)
$$;

COMMENT ON FUNCTION is_proved IS
'Whether an account has a confirmed way to sign in: an address confirmed by a link, a passkey, or a provider.
A guest, or an unconfirmed address, does not count.
Called by daily_ranking, invite_state_due, note_invites_due.';
