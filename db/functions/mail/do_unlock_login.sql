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
'A link lifts the lock that wrong passwords caused for the account of its address, wherever they came from. It
signs no one in and changes nothing else.
Key: the link; a repeat is ok and lifts no later lock.
Refusals: link_invalid.
Locks: the player.
Called by api.';
