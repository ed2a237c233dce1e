CREATE OR REPLACE FUNCTION do_confirm_email(p_token_hash bytea) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['verify', 'change']);
    v_old   text;
BEGIN
    SELECT email INTO v_old FROM credentials WHERE player_id = v_proof.player_id;
    IF v_old IS NULL OR (v_proof.kind = 'verify' AND v_old <> v_proof.address) THEN
        RETURN 'link_invalid';
    END IF;
    IF v_proof.kind = 'change' THEN
        IF NOT email_free(v_proof.address, v_proof.player_id) THEN
            RETURN 'email_taken';
        END IF;
        UPDATE credentials SET email = v_proof.address WHERE player_id = v_proof.player_id;
        DELETE FROM mail_proofs WHERE player_id = v_proof.player_id AND kind IN ('verify', 'reset', 'unlock');
        PERFORM mail_proof_send(v_proof.player_id, 'undo', v_old, 'email_changed', '{}');
    END IF;
    UPDATE players SET email_verified_at = now() WHERE id = v_proof.player_id;
    RETURN 'ok';
EXCEPTION WHEN unique_violation THEN -- somebody took it at this moment
    RETURN 'email_taken';
END $$;

COMMENT ON FUNCTION do_confirm_email IS
'A link proves the address of an account, or the one that it is to have: then it has it from now on, and a
mail to the old one brings a link that undoes it.
Key: the link, which works once.
Refusals: link_invalid, email_taken (meanwhile; then the link is used up).
Locks: the player.
Called by api.';
