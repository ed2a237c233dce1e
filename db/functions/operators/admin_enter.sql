CREATE OR REPLACE FUNCTION admin_enter(p_key_hash bytea, p_action text, p_detail jsonb, p_code text,
                                       OUT code text, OUT key_id bigint)
    LANGUAGE plpgsql AS $$
BEGIN
    SELECT m.key_id, m.code INTO key_id, code FROM admin_key_may(p_key_hash, p_action) m;
    IF key_id IS NULL THEN
        RETURN;
    END IF;
    code := CASE code WHEN 'ok' THEN p_code ELSE code END;
    INSERT INTO audit (key_id, action, detail, code) VALUES (key_id, p_action, p_detail, code);
END $$;

COMMENT ON FUNCTION admin_enter IS
'Begins an administrative call that changes nothing: checks the key''s permission, and writes the audit row.
p_code: the result if the key is permitted: ok, or a refusal.
Refusals: those of admin_key_may (an unknown key is not logged, because anyone could fill the log).
Called by do_job, q_audit, q_job_list, q_season_preview.';
