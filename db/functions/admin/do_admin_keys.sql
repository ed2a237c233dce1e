CREATE OR REPLACE FUNCTION do_admin_keys(p_key_hash bytea, p_before bigint, p_unused bigint,
                                         p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:keys', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY SELECT 'ok', api_key_json(k)::text, k.id, 0::bigint, 0::bigint FROM api_keys k
        WHERE p_before IS NULL OR k.id < p_before ORDER BY k.id DESC LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_keys IS
'A page of all API keys ever created, newest first; the first row is the head.
Refusals: those of admin_begin.
Called by api.';
