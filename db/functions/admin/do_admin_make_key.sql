CREATE OR REPLACE FUNCTION do_admin_make_key(p_key_hash bytea, p_idem_key text, p_body_hash bytea,
                                             p_name text, p_role text, p_holder text, p_days bigint,
                                             p_scope text,
                                             p_new_hash bytea, p_prefix text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'make_key', jsonb_strip_nulls(jsonb_build_object(
        'name', p_name, 'role', p_role, 'holder', p_holder, 'days', p_days, 'scope', p_scope)),
        p_idem_key, p_body_hash);
    v_it   record;
BEGIN
    IF v_call.answer IS NULL THEN
        SELECT m.code, m.made INTO v_it
        FROM make_api_key(v_call.key_id, p_name, p_role, p_holder, coalesce(p_days, 90), p_scope,
                          p_new_hash, p_prefix) m;
        v_call.answer := admin_end(v_call, v_it.code,
                                   CASE WHEN v_it.code = 'ok' THEN api_key_json(v_it.made) END);
    END IF;
    RETURN QUERY SELECT v_call.answer->>'code', (v_call.answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_admin_make_key IS
'Creates an API key, if the caller''s key permits that. Without p_days it is valid for 90 days.
Key: p_idem_key of the API key.
Refusals: those of admin_begin, those of make_api_key.
Called by api.';
