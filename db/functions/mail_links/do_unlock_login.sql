CREATE OR REPLACE FUNCTION do_unlock_login(p_token_hash bytea) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['unlock']);
BEGIN
    IF v_proof.player_id IS NULL THEN
        RETURN 'link_invalid';
    ELSIF v_proof.used_at IS NULL THEN
        PERFORM do_login_unlock(v_proof.address);
    END IF;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_unlock_login IS
'Lifts, by an emailed link, the lock that wrong passwords from anywhere have caused for an account. It signs
no one in and changes nothing else.
Key: the link; a repeat is ok and lifts no later lock.
Refusals: link_invalid.
Locks: the player.
Called by api.';
