CREATE OR REPLACE FUNCTION email_release(p_email text, p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_holder bigint := email_unconfirmed_owner(p_email, p_player);
BEGIN
    PERFORM lock_players(ARRAY[v_holder]);
    IF v_holder IS NOT NULL AND v_holder IS NOT DISTINCT FROM email_unconfirmed_owner(p_email, p_player) THEN
        DELETE FROM mail_proofs WHERE player_id = v_holder;
        DELETE FROM credentials WHERE player_id = v_holder;
    END IF;
END $$;

COMMENT ON FUNCTION email_release IS
'Takes an address away from another account that was registered with it but never confirmed it, because the
owner of the mailbox has now confirmed it for p_player (NULL: a new account). That account then has neither
address nor password nor second factor; its passkeys, providers, and sessions remain.
Locks: that account''s player.
Called by do_confirm_email, do_undo_email, identity_email.';
