CREATE OR REPLACE FUNCTION do_undo_email(p_token_hash bytea)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['undo']);
    v_since timestamptz := v_proof.expires_at - make_interval(secs => setting_int('mail_undo_s')
                                                                      + setting_int('mail_undo_before_s'));
BEGIN
    IF v_proof.player_id IS NULL OR v_proof.used_at IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN v_proof.player_id IS NULL THEN 'link_invalid' ELSE 'ok' END,
                            NULL::bigint[];
        RETURN;
    ELSIF NOT v_proof.proved THEN
        v_since := '-infinity';
        IF NOT email_free(v_proof.address, v_proof.player_id, true) THEN
            DELETE FROM mail_proofs WHERE token_hash = p_token_hash;
            RETURN QUERY SELECT 'link_invalid', NULL::bigint[];
            RETURN;
        END IF;
        PERFORM email_release(v_proof.address, v_proof.player_id);
    END IF;
    DELETE FROM mail_proofs WHERE player_id = v_proof.player_id AND token_hash <> p_token_hash;
    UPDATE credentials SET email = v_proof.address, password_hash = '' WHERE player_id = v_proof.player_id;
    PERFORM ways_in_end(v_proof.player_id, v_since, v_since);
    UPDATE players SET email_verified_at = now() WHERE id = v_proof.player_id;
    PERFORM mail_proof_send(v_proof.player_id, 'reset', v_proof.address, 'reset', '{}');
    RETURN QUERY SELECT 'ok', sessions_end_of(v_proof.player_id, NULL);
END $$;

COMMENT ON FUNCTION do_undo_email IS
'Restores a previous address of an account by the link that was sent to it, no matter what it was changed to
since. The person who changed it knew the password, so the password and all passkeys are removed, as are
providers and bot tokens added since the change or within mail_undo_before_s before it. A second factor
switched on within that time is switched off, because it would keep the owner out; an older one remains,
because the person who changed the address had a code from it. If the address had never been confirmed,
older ones are removed, too; the address was free in the meantime, and an account that has confirmed it
since keeps it. Sessions and pending sign-ins end, every other link of the account becomes void, and an
email contains a link to choose a new password.
Key: the link; a repeat is ok and changes nothing.
Refusals: link_invalid (also: another account has confirmed the address).
Locks: the player, and one that was registered with the address but never confirmed it.
Called by api.';
