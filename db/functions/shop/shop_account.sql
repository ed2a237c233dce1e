CREATE OR REPLACE FUNCTION shop_account(p_player bigint) RETURNS uuid
    LANGUAGE sql STABLE AS $$
    SELECT encode(substr(sha256(convert_to('rummyd store account ' || id || ' '
                                           || extract(epoch FROM created_at), 'UTF8')), 1, 16), 'hex')::uuid
    FROM players WHERE id = p_player
$$;

COMMENT ON FUNCTION shop_account IS
'The name under which an app identifies the buyer to its store (appAccountToken, obfuscatedExternalAccountId).
It never changes, does not reveal who the player is, and is not secret, because only the store''s signature
counts.
Called by do_shop_receipt, q_shop_account.';
