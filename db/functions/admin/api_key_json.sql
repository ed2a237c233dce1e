CREATE OR REPLACE FUNCTION api_key_json(k api_keys) RETURNS jsonb
    LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object(
        'id', k.id::text, 'name', k.name, 'role', k.role, 'holder', k.holder, 'prefix', k.prefix,
        'scope', array_to_string(k.scopes, ' '),
        'made_by', (SELECT name FROM api_keys WHERE id = k.made_by),
        'created_at', rfc3339(k.created_at), 'expires_at', rfc3339(k.expires_at),
        'revoked_at', rfc3339(k.revoked_at),
        'old_until', CASE WHEN k.old_until > now() THEN rfc3339(k.old_until) END,
        'used_at', rfc3339((SELECT a.at FROM audit a WHERE a.key_id = k.id ORDER BY a.id DESC LIMIT 1)))
$$;

COMMENT ON FUNCTION api_key_json IS
'An API key as its owner sees it, without the secret.
Called by do_admin_key, do_admin_keys, do_admin_make_key, do_admin_revoke_key, do_admin_rotate_key.';
