CREATE OR REPLACE FUNCTION q_audit(p_key_hash bytea, p_before bigint, p_unused bigint, p_unused_too bigint,
                                   p_limit bigint, p_player bigint, p_key text, p_action text,
                                   p_since_ms bigint, p_until_ms bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    v_code  text;
    v_wrong text := CASE
        WHEN p_key IS NOT NULL AND NOT EXISTS (SELECT FROM api_keys WHERE name = p_key) THEN 'key'
        WHEN p_action IS NOT NULL AND p_action <> 'refund:said'
         AND NOT EXISTS (SELECT FROM admin_rights() r WHERE r.action = p_action)
         AND NOT EXISTS (SELECT FROM jobs j WHERE 'job:' || j.job = p_action)
         AND NOT EXISTS (SELECT FROM audit a WHERE a.action = p_action) THEN 'action' END;
BEGIN
    SELECT e.code INTO v_code
    FROM admin_enter(p_key_hash, 'read:audit', '{}',
                     CASE WHEN v_wrong IS NULL THEN 'ok' ELSE 'bad_parameter' END) e;
    RETURN QUERY SELECT v_code, coalesce(v_wrong, '{}'), NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_code = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object('id', a.id::text, 'at', rfc3339(a.at), 'key', k.name,
                                        'action', a.action,
                                        'detail', a.detail, 'code', a.code)::text, a.id, 0::bigint, 0::bigint
        FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id
        WHERE (p_before IS NULL OR a.id < p_before)
          AND (p_key IS NULL OR a.key_id = (SELECT id FROM api_keys WHERE name = p_key))
          AND (p_action IS NULL OR a.action = p_action)
          AND (p_player IS NULL OR a.detail->>'player' = p_player::text)
          AND (p_since_ms IS NULL OR a.at >= to_timestamp(p_since_ms / 1000.0))
          AND (p_until_ms IS NULL OR a.at < to_timestamp(p_until_ms / 1000.0))
        ORDER BY a.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION q_audit IS
'A page of the audit log, newest first: about one player, of one key, of one action, in a time range; the
first row is the head. Planned at each call, so that omitted filters cost nothing.
Refusals: those of admin_enter, bad_parameter (a key or an action that never existed; body names which).
Called by api.';
