CREATE OR REPLACE FUNCTION admin_end(p_call admin_call, p_code text, p_body jsonb) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb := jsonb_build_object('code', p_code, 'body', p_body);
BEGIN
    INSERT INTO audit (key_id, action, detail, code)
    VALUES (p_call.key_id, p_call.action, p_call.detail, p_code);
    IF p_call.idem_key IS NOT NULL THEN
        INSERT INTO admin_answers (key_id, idem_key, body_hash, answer)
        VALUES (p_call.key_id, p_call.idem_key, p_call.body_hash, v_answer);
        DELETE FROM admin_answers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM admin_answers
            WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT 100));
    END IF;
    RETURN v_answer;
END $$;

COMMENT ON FUNCTION admin_end IS
'Completes what admin_begin began: writes the audit row and the stored reply, which it returns.
Called everywhere.';
