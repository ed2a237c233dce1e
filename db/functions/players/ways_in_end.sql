CREATE OR REPLACE FUNCTION ways_in_end(p_player bigint, p_since timestamptz, p_factor_since timestamptz)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_gone jsonb;
BEGIN
    DELETE FROM identity_flows WHERE player_id = p_player;
    DELETE FROM passkey_challenges WHERE session_id IN (SELECT id FROM sessions WHERE player_id = p_player);
    DELETE FROM login_challenges WHERE player_id = p_player;
    DELETE FROM known_devices WHERE player_id = p_player;
    DELETE FROM mail_proofs WHERE player_id = p_player AND kind = 'change' AND used_at IS NULL;
    DELETE FROM totp_factors WHERE player_id = p_player AND on_at IS NULL;
    v_gone := ways_unproved(p_player, p_since, p_factor_since) - 'second_factor';
    DELETE FROM passkeys WHERE player_id = p_player;
    DELETE FROM identities i WHERE i.player_id = p_player AND i.created_at > p_since
        AND NOT identity_proved(i);
    PERFORM bot_tokens_end(t.player_id, t.id)
    FROM bot_accounts b JOIN bot_tokens t ON t.player_id = b.player_id
    WHERE b.owner_id = p_player AND t.created_at > p_since;
    IF EXISTS (SELECT 1 FROM totp_factors WHERE player_id = p_player AND on_at > p_factor_since) THEN
        PERFORM factor_end(p_player);
    END IF;
    IF EXISTS (SELECT 1 FROM jsonb_each_text(v_gone) WHERE value <> '0') THEN
        PERFORM mail_put(p_player, NULL, 'ways_removed', v_gone);
    END IF;
END $$;

COMMENT ON FUNCTION ways_in_end IS
'Removes from an account the credentials that its mailbox does not prove: all passkeys, the providers and bot
tokens (with their sessions) that were added after p_since, a second factor that was switched on after
p_factor_since, and unfinished additions. A provider that has verified the address of the account remains.
An email lists what was removed, if anything; factor_end sends a separate one about the second factor. The
caller handles password and sessions (docs/account-access.md).
Locks: the caller holds the player.
Called by do_confirm_email, do_reset_password, do_undo_email, identity_claim.';
