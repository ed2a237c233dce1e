CREATE OR REPLACE FUNCTION ways_in(p_player bigint, p_issuers text[]) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT (SELECT count(*) FROM credentials WHERE player_id = p_player AND password_hash <> '')
         + (SELECT count(*) FROM guest_devices WHERE player_id = p_player)
         + (SELECT count(*) FROM passkeys WHERE player_id = p_player)
         + (SELECT count(*) FROM identities WHERE player_id = p_player AND issuer = ANY (p_issuers))
$$;

COMMENT ON FUNCTION ways_in IS
'Number of ways in which a player can sign in: a password, the device of a guest, passkeys, providers.
p_issuers: the providers that are configured; no one can sign in with any other.
Called by do_passkey_remove, do_unlink_identity.';
