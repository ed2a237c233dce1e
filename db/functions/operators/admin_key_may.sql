CREATE OR REPLACE FUNCTION admin_key_may(p_key_hash bytea, p_action text, OUT key_id bigint, OUT code text)
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_key api_keys;
BEGIN
    SELECT k.* INTO v_key FROM api_keys k
    WHERE (k.key_hash = p_key_hash OR k.old_hash = p_key_hash AND k.old_until > now())
      AND k.revoked_at IS NULL;
    key_id := v_key.id;
    IF key_id IS NULL THEN
        code := 'api_key_invalid';
    ELSIF v_key.expires_at <= now() THEN
        code := 'api_key_expired';
    ELSE
        SELECT CASE WHEN v_key.role <> 'owner' AND v_key.role <> ALL (r.roles) THEN 'api_key_forbidden'
                    WHEN v_key.scopes IS NULL OR r.area = 'status' OR r.area || ':write' = ANY (v_key.scopes)
                      OR NOT r.writes AND r.area || ':read' = ANY (v_key.scopes) THEN 'ok'
                    ELSE 'api_key_scope' END INTO code
        FROM admin_rights() r
        WHERE r.action = CASE WHEN p_action LIKE 'job:%' AND p_action <> 'job:list' THEN 'job:run'
                              ELSE p_action END;
        code := coalesce(code, 'api_key_forbidden');
    END IF;
END $$;

COMMENT ON FUNCTION admin_key_may IS
'Whether the key with this hash is permitted an action (one of admin_rights, or job: and its name): ok or a
refusal. key_id NULL: there is no such key. A key may always read its own identity and permissions,
regardless of its scopes.
Refusals: api_key_invalid, api_key_expired, api_key_forbidden (its role), api_key_scope (its scopes).
Called by admin_begin, admin_enter, do_admin_status, do_job.';
