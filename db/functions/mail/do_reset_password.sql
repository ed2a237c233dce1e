CREATE OR REPLACE FUNCTION do_reset_password(p_token_hash bytea, p_password_hash text)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['reset']);
BEGIN
    UPDATE credentials SET password_hash = p_password_hash
    WHERE player_id = v_proof.player_id AND email = v_proof.address;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'link_invalid', NULL::bigint[];
        RETURN;
    END IF;
    UPDATE players SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = v_proof.player_id;
    PERFORM do_login_unlock(v_proof.address);
    RETURN QUERY SELECT 'ok', password_changed(v_proof.player_id, NULL);
END $$;

COMMENT ON FUNCTION do_reset_password IS
'Sets the password of the account whose address a link has proved. All its sessions end, a lock by wrong
passwords is lifted, other links that would change it are void, and a mail says so.
Key: the link, which works once.
Refusals: link_invalid.
Locks: the player.
Called by api.';
