CREATE OR REPLACE FUNCTION do_unlock_login(p_token_hash bytea, OUT code text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['unlock']);
BEGIN
    code := CASE WHEN v_proof.player_id IS NULL THEN 'link_invalid' ELSE 'ok' END;
    IF v_proof.used_at IS NULL AND code = 'ok' THEN
        PERFORM do_login_unlock(v_proof.address);
    END IF;
END $$;

COMMENT ON FUNCTION do_unlock_login IS
'Lifts, by an emailed link, the lock that wrong passwords from anywhere have caused for an account. It signs
no one in and changes nothing else.
Key: the link; a repeat is ok, but does not lift a later lock.
Refusals: link_invalid.
Locks: the player.
Called by api.';
