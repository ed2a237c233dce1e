CREATE OR REPLACE FUNCTION do_undo_email(p_token_hash bytea)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['undo']);
    v_since timestamptz := v_proof.expires_at - make_interval(secs => setting_int('mail_undo_s')
                                                                      + setting_int('mail_undo_before_s'));
BEGIN
    IF v_proof.player_id IS NULL THEN
        RETURN QUERY SELECT 'link_invalid', NULL::bigint[];
        RETURN;
    END IF;
    DELETE FROM mail_proofs WHERE player_id = v_proof.player_id;
    UPDATE credentials SET email = v_proof.address, password_hash = '' WHERE player_id = v_proof.player_id;
    DELETE FROM passkeys WHERE player_id = v_proof.player_id;
    DELETE FROM identities WHERE player_id = v_proof.player_id AND created_at > v_since;
    DELETE FROM login_challenges WHERE player_id = v_proof.player_id;
    IF EXISTS (SELECT 1 FROM totp_factors WHERE player_id = v_proof.player_id AND on_at > v_since) THEN
        PERFORM factor_end(v_proof.player_id);
    END IF;
    UPDATE players SET email_verified_at = now() WHERE id = v_proof.player_id;
    PERFORM mail_proof_send(v_proof.player_id, 'reset', v_proof.address, 'reset', '{}');
    RETURN QUERY SELECT 'ok', sessions_end_of(v_proof.player_id, NULL);
END $$;

COMMENT ON FUNCTION do_undo_email IS
'A link to the address an account had leads back to it, whatever it was changed to since. Whoever changed it
knew the password: so no password and no passkey opens the account, nor a provider that was linked since, or
within mail_undo_before_s before; a second factor that was switched on within that time is off, for it would
keep the owner out, and an older one stays, for whoever changed the address had a code of it. Sessions and
log-ins that wait end, every other link of the account is void, and a mail brings one to choose a new
password with.
Key: the link, which works once.
Refusals: link_invalid.
Locks: the player.
Called by api.';
