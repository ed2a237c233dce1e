CREATE OR REPLACE FUNCTION identity_email(p_player bigint, p_email text) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO credentials (player_id, email, password_hash)
    SELECT p_player, lower(p_email), '' WHERE p_email IS NOT NULL AND email_free(p_email, p_player)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE players SET email_verified_at = now() WHERE id = p_player;
    END IF;
END $$;

COMMENT ON FUNCTION identity_email IS
'A new account takes the address that its provider has verified, if it is nobody''s; there is no password
yet, a mail may bring the way to one. NULL: it has none.
Called by do_enter_identity, do_link_identity.';
