CREATE OR REPLACE FUNCTION identity_claim(p_player bigint, p_issuer text, p_subject text, p_email text,
                                          p_provider text)
    RETURNS bigint[]
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM mail_proofs WHERE player_id = p_player;
    DELETE FROM identities WHERE player_id = p_player AND issuer = p_issuer;
    INSERT INTO identities (player_id, issuer, subject, email)
    VALUES (p_player, p_issuer, p_subject, p_email);
    UPDATE credentials SET password_hash = '' WHERE player_id = p_player;
    PERFORM ways_in_end(p_player, '-infinity', '-infinity');
    UPDATE players SET email_verified_at = now() WHERE id = p_player;
    PERFORM mail_put(p_player, NULL, 'identity_linked', jsonb_build_object('provider', p_provider));
    RETURN sessions_end_of(p_player, NULL);
END $$;

COMMENT ON FUNCTION identity_claim IS
'Passes an account whose address was never confirmed to the identity for which a provider has verified that
address: from now on, the provider opens it, and no earlier credential does. Password, passkeys, other
providers, the second factor, bot tokens, and links are removed. Returns the sessions that this call ended.
The caller holds the player''s lock.
Called by do_enter_identity.';
