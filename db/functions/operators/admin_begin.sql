CREATE OR REPLACE FUNCTION admin_begin(p_key_hash bytea, p_action text, p_detail jsonb, p_idem_key text,
                                       p_body_hash bytea)
    RETURNS admin_call
    LANGUAGE plpgsql AS $$
DECLARE
    v_call  admin_call := ROW(NULL, p_action, p_detail, p_idem_key, p_body_hash, NULL)::admin_call;
    v_code  text;
    v_first admin_answers;
BEGIN
    SELECT m.key_id, nullif(m.code, 'ok') INTO v_call.key_id, v_code
    FROM admin_key_may(p_key_hash, p_action) m;
    IF v_call.key_id IS NULL THEN
        v_call.answer := jsonb_build_object('code', v_code);
        RETURN v_call;
    END IF;
    IF v_code IS NULL AND p_idem_key IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('admin ' || v_call.key_id || ' ' || p_idem_key, 0));
        SELECT * INTO v_first FROM admin_answers WHERE key_id = v_call.key_id AND idem_key = p_idem_key;
        v_code := CASE WHEN v_first.key_id IS NULL THEN NULL
                       WHEN v_first.body_hash = p_body_hash THEN 'repeated'
                       ELSE 'idempotency_key_reused' END;
        PERFORM set_config('rummyd.repeated', coalesce(v_code = 'repeated', false)::text, true);
    END IF;
    IF v_code IS NOT NULL THEN
        INSERT INTO audit (key_id, action, detail, code) VALUES (v_call.key_id, p_action, p_detail, v_code);
        v_call.answer := CASE v_code WHEN 'repeated' THEN v_first.answer
                              ELSE jsonb_build_object('code', v_code) END;
    END IF;
    RETURN v_call;
END $$;

COMMENT ON FUNCTION admin_begin IS
'Begins an operator''s action: checks the key''s permission, and whether it is a repeat. p_idem_key NULL: the
action is safe to repeat. Repeats and refusals are written to the audit log, except for unknown keys.
rummyd.repeated is set for a repeat (API_REPEATED). answer NULL: continue, and call admin_end.
Key: p_idem_key of the API key.
Refusals: those of admin_key_may, idempotency_key_reused.
Called everywhere.';
