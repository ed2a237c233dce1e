CREATE OR REPLACE FUNCTION identity_email(p_player bigint, p_email text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_email IS NULL OR NOT email_free(p_email, p_player, true) THEN
        RETURN;
    END IF;
    PERFORM email_release(p_email, p_player);
    INSERT INTO credentials (player_id, email, password_hash) VALUES (p_player, email_key(p_email), '')
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE players SET email_verified_at = now() WHERE id = p_player;
    END IF;
END $$;

COMMENT ON FUNCTION identity_email IS
'Gives a new account the address that its provider has verified, unless another account has confirmed it. It
has no password yet, but its owner can set one with a link sent to the address. NULL: the account has no
address.
Called by do_enter_identity, do_link_identity.';
