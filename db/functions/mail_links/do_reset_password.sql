CREATE OR REPLACE FUNCTION do_reset_password(p_token_hash bytea, p_password_hash text, p_keep boolean)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['reset']);
    v_first boolean     := (SELECT email_verified_at IS NULL FROM players WHERE id = v_proof.player_id);
BEGIN
    UPDATE credentials SET password_hash = p_password_hash
    WHERE player_id = v_proof.player_id AND email = v_proof.address AND v_proof.used_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'link_invalid', NULL::bigint[];
        RETURN;
    END IF;
    IF v_first THEN
        PERFORM ways_in_end(v_proof.player_id, '-infinity', '-infinity');
    ELSIF NOT p_keep THEN
        PERFORM ways_in_end(v_proof.player_id, '-infinity', 'infinity');
    END IF;
    UPDATE players SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = v_proof.player_id;
    PERFORM do_login_unlock(v_proof.address);
    RETURN QUERY SELECT 'ok', password_changed(v_proof.player_id, NULL);
END $$;

COMMENT ON FUNCTION do_reset_password IS
'Sets the password of the account whose address a link has confirmed. All its sessions end, a lock caused by
wrong passwords is lifted, other links that would change the password become void, and an email confirms the
change. Sign-in methods that the mailbox does not prove are removed (ways_in_end), unless p_keep. The second
factor remains, because a mailbox must not bypass it. If this is the first confirmation of an address,
p_keep is ignored and the second factor is removed, too, because the person who added them may never have
owned the address.
Key: the link, which works once.
Refusals: link_invalid.
Locks: the player.
Called by api.';
