CREATE OR REPLACE FUNCTION mail_proof_take(p_token_hash bytea, p_kinds text[]) RETURNS mail_proofs
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof mail_proofs;
BEGIN
    SELECT * INTO v_proof FROM mail_proofs WHERE token_hash = p_token_hash AND kind = ANY (p_kinds);
    PERFORM lock_players(ARRAY[v_proof.player_id]);
    SELECT * INTO v_proof FROM mail_proofs
    WHERE token_hash = p_token_hash AND kind = ANY (p_kinds) AND expires_at > now()
          AND EXISTS (SELECT 1 FROM players p WHERE p.id = player_id AND p.deleted_at IS NULL);
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE mail_proofs SET used_at = now() WHERE token_hash = p_token_hash AND used_at IS NULL;
    RETURN v_proof;
END $$;

COMMENT ON FUNCTION mail_proof_take IS
'Uses up a link of one of these kinds, and locks its player. NULL: there is no such link, a newer one
replaced it, or it has expired. used_at: when the link was used before, so that nothing remains to be done.
Locks: the player.
Called by do_confirm_email, do_reset_password, do_undo_email, do_unlock_login.';
