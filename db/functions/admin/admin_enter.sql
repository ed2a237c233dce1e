CREATE OR REPLACE FUNCTION admin_enter(p_key_hash bytea, p_action text, p_detail jsonb, p_code text,
                                       OUT code text, OUT key_id bigint)
    LANGUAGE plpgsql AS $$
DECLARE
    v_role text;
BEGIN
    SELECT k.id, k.role INTO key_id, v_role FROM api_keys k
    WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL;
    IF key_id IS NULL THEN
        code := 'api_key_invalid';
        RETURN;
    END IF;
    code := CASE WHEN v_role = 'admin' OR p_action LIKE 'job:%' THEN p_code ELSE 'api_key_forbidden' END;
    INSERT INTO audit (key_id, action, detail, code) VALUES (key_id, p_action, p_detail, code);
END $$;

COMMENT ON FUNCTION admin_enter IS
'Begins an administrative call that changes nothing: whether the key may do this, and its line in the log.
p_code: what becomes of it if the key may: ok, or a refusal.
Refusals: api_key_invalid (not logged: a stranger could fill the log), api_key_forbidden.
Called by do_job, q_audit, q_job_list, q_season_preview.';
