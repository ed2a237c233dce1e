CREATE OR REPLACE FUNCTION do_admin_status(p_key_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:status', '{}', NULL, NULL);
    v_may  text[];
    v_body jsonb;
BEGIN
    IF v_call.answer IS NULL THEN
        v_may := ARRAY(SELECT r.action FROM admin_rights() r
                       WHERE (SELECT m.code FROM admin_key_may(p_key_hash, r.action) m) = 'ok'
                       ORDER BY r.action);
        SELECT jsonb_build_object(
            'key', jsonb_build_object(
                'name', k.name, 'role', k.role, 'holder', k.holder, 'scope', array_to_string(k.scopes, ' '),
                'expires_at', rfc3339(k.expires_at)),
            'actions', v_may, 'waiting', admin_waiting(v_may), 'play', admin_play(), 'nodes', admin_nodes())
        INTO v_body FROM api_keys k WHERE k.id = v_call.key_id;
    END IF;
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', v_body));
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_status IS
'The data of the operators'' start page: identity and permissions of a key, pending items that it may see,
players online, and the nodes.
Refusals: those of admin_begin.
Called by api.';
