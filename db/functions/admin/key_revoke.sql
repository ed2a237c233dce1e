CREATE OR REPLACE FUNCTION key_revoke(p_key bigint, p_by bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE api_keys SET revoked_at = now() WHERE id = p_key AND revoked_at IS NULL;
    UPDATE chip_grants SET state = 'refused', settled_at = now(), settled_by = p_by
    WHERE key_id = p_key AND state = 'waiting';
END $$;

COMMENT ON FUNCTION key_revoke IS
'Revokes an API key. Its pending grants are refused (p_by: the key that revoked it, or the revoked key
itself), because a thief of the key may have proposed them.
Called by do_admin_revoke_key, do_revoke_key.';
