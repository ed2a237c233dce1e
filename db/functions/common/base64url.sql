CREATE OR REPLACE FUNCTION base64url(p_bytes bytea) RETURNS text
    LANGUAGE sql IMMUTABLE AS $$
    SELECT translate(encode(p_bytes, 'base64'), E'+/=\n', '-_')
$$;

COMMENT ON FUNCTION base64url IS
'Encodes bytes as RFC 4648 base64url without padding, as browsers do.
Called by do_passkey_begin.';
