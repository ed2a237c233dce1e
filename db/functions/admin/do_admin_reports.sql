CREATE OR REPLACE FUNCTION do_admin_reports(p_key_hash bytea, p_after bigint, p_unused bigint,
                                            p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:reports', '{}', NULL, NULL);
BEGIN
    v_call.answer := coalesce(v_call.answer, admin_end(v_call, 'ok', NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', report_json(r)::text, r.id, 0::bigint, 0::bigint FROM reports r
        WHERE r.state = 'open' AND (p_after IS NULL OR r.id > p_after) ORDER BY r.id LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_reports IS
'A page of the open reports, oldest first; the first row is the head.
Refusals: those of admin_begin.
Called by api.';
