CREATE OR REPLACE FUNCTION do_confirm_email(p_token_hash bytea, p_player bigint, OUT code text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs := mail_proof_take(p_token_hash, ARRAY['verify', 'change']);
    v_old   text;
    v_first boolean;
BEGIN
    SELECT c.email, p.email_verified_at IS NULL INTO v_old, v_first
    FROM credentials c JOIN players p ON p.id = c.player_id WHERE c.player_id = v_proof.player_id;
    IF v_old IS NULL OR (v_proof.used_at IS NOT NULL OR v_proof.kind = 'verify')
                        AND v_old <> v_proof.address THEN
        code := 'link_invalid';
        RETURN;
    ELSIF v_proof.used_at IS NOT NULL THEN
        code := 'ok';
        RETURN;
    END IF;
    IF v_proof.kind = 'change' THEN
        IF NOT email_free(v_proof.address, v_proof.player_id, true) THEN
            code := 'email_taken';
            RETURN;
        END IF;
        PERFORM email_release(v_proof.address, v_proof.player_id);
        UPDATE credentials SET email = v_proof.address WHERE player_id = v_proof.player_id;
        DELETE FROM mail_proofs WHERE player_id = v_proof.player_id AND kind IN ('verify', 'reset', 'unlock');
        PERFORM mail_proof_send(v_proof.player_id, 'undo', v_old, 'email_changed', '{}');
        UPDATE mail_proofs SET proved = false
        WHERE player_id = v_proof.player_id AND kind = 'undo' AND address = v_old AND v_first;
    END IF;
    IF v_first AND p_player IS DISTINCT FROM v_proof.player_id THEN
        PERFORM ways_in_end(v_proof.player_id, '-infinity', '-infinity');
    END IF;
    UPDATE players SET email_verified_at = now() WHERE id = v_proof.player_id;
    code := 'ok';
EXCEPTION WHEN unique_violation THEN -- another account took the address in the meantime
    code := 'email_taken';
END $$;

COMMENT ON FUNCTION do_confirm_email IS
'Confirms the address of an account by a link, or its new address, which then takes effect; an email to the
old address contains a link to undo the change. p_player: the signed-in player who opens the link; NULL: no
one is signed in. Confirming the first address of an account removes all earlier sign-in methods
(ways_in_end), unless the account''s player is signed in when opening the link. Only then is it certain that
the person who added them receives the email.
Key: the link; a repeat is ok as long as the account has the address.
Refusals: link_invalid, email_taken (in the meantime; the link is then used up).
Locks: the player.
Called by api.';
