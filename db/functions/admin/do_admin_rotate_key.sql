CREATE OR REPLACE FUNCTION do_admin_rotate_key(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                               p_id bigint, p_hours bigint, p_new_hash bytea, p_prefix text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'rotate_key', jsonb_build_object('id', p_id),
                                     p_idem_key, p_body_hash);
    v_code text       := 'ok';
    v_mine text[];
    v_key  api_keys;
BEGIN
    IF v_call.answer IS NULL THEN
        v_mine := (SELECT scopes FROM api_keys WHERE id = v_call.key_id);
        SELECT * INTO v_key FROM api_keys WHERE id = p_id FOR UPDATE;
        IF v_key.id IS NULL THEN
            v_code := 'no_such_key';
        ELSIF v_key.revoked_at IS NOT NULL THEN
            v_code := 'key_revoked';
        ELSIF v_mine IS NOT NULL AND (v_key.scopes IS NULL OR NOT v_key.scopes <@ v_mine) THEN
            v_code := 'api_key_scope';
        ELSE
            UPDATE api_keys SET old_hash = key_hash,
                old_until = now() + make_interval(hours => coalesce(p_hours, 24)::integer),
                key_hash = p_new_hash, prefix = p_prefix,
                expires_at = now() + (expires_at - coalesce(rotated_at, created_at)), rotated_at = now()
            WHERE id = p_id RETURNING * INTO v_key;
        END IF;
        v_call.answer := admin_end(v_call, v_code,
                                   CASE WHEN v_code = 'ok' THEN api_key_json(v_key) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_rotate_key IS
'Gives an API key a new secret, valid for as long as the previous one was when it was created. The previous
one remains valid for p_hours (24), so that its user has time to replace it; an even older one becomes
invalid at once.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, no_such_key, key_revoked, api_key_scope (it may do more than the caller''s).
Called by api.';
