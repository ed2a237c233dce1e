-- What operators do by hand. An action is one transaction: role, repeat, deed, line in the log, stored answer; whatever
-- kills the server in between, it is done once or not at all.

-- The first answers by API key and idempotency key; kept as long as those of players.
CREATE TABLE admin_answers (
    key_id    bigint NOT NULL REFERENCES api_keys (id),
    idem_key  text   NOT NULL CHECK (char_length(idem_key) BETWEEN 1 AND 64),
    body_hash bytea  NOT NULL,
    answer    jsonb  NOT NULL,
    at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (key_id, idem_key)
);
CREATE INDEX admin_answers_at ON admin_answers (at);

-- A call on its way from admin_begin to admin_end. answer: there is one already ({"code": …, "body": …}).
CREATE TYPE admin_call AS (key_id bigint, action text, detail jsonb, idem_key text, body_hash bytea, answer jsonb);

-- Whether the key may do this, and whether it did so before. p_idem_key NULL: an action that repeats without harm. Repeats and
-- refusals leave their line in the log; a stranger leaves none.
CREATE FUNCTION admin_begin(p_key_hash bytea, p_action text, p_detail jsonb, p_idem_key text, p_body_hash bytea) RETURNS admin_call
    LANGUAGE plpgsql AS $$
DECLARE
    v_call  admin_call := ROW(NULL, p_action, p_detail, p_idem_key, p_body_hash, NULL)::admin_call;
    v_role  text;
    v_code  text;
    v_first admin_answers;
BEGIN
    SELECT k.id, k.role INTO v_call.key_id, v_role FROM api_keys k WHERE k.key_hash = p_key_hash AND k.revoked_at IS NULL;
    IF v_call.key_id IS NULL THEN
        v_call.answer := '{"code": "api_key_invalid"}';
        RETURN v_call;
    END IF;
    IF v_role <> 'admin' THEN
        v_code := 'api_key_forbidden';
    ELSIF p_idem_key IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('admin ' || v_call.key_id || ' ' || p_idem_key, 0));
        SELECT * INTO v_first FROM admin_answers WHERE key_id = v_call.key_id AND idem_key = p_idem_key;
        v_code := CASE WHEN v_first.key_id IS NULL THEN NULL WHEN v_first.body_hash = p_body_hash THEN 'repeated'
                       ELSE 'idempotency_key_reused' END;
    END IF;
    IF v_code IS NOT NULL THEN
        INSERT INTO audit (key_id, action, detail, code) VALUES (v_call.key_id, p_action, p_detail, v_code);
        v_call.answer := CASE v_code WHEN 'repeated' THEN v_first.answer ELSE jsonb_build_object('code', v_code) END;
    END IF;
    RETURN v_call;
END $$;

-- The line in the log and the stored answer, which it returns.
CREATE FUNCTION admin_end(p_call admin_call, p_code text, p_body jsonb) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_answer jsonb := jsonb_build_object('code', p_code, 'body', p_body);
BEGIN
    INSERT INTO audit (key_id, action, detail, code) VALUES (p_call.key_id, p_call.action, p_call.detail, p_code);
    IF p_call.idem_key IS NOT NULL THEN
        INSERT INTO admin_answers (key_id, idem_key, body_hash, answer)
        VALUES (p_call.key_id, p_call.idem_key, p_call.body_hash, v_answer);
        DELETE FROM admin_answers WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM admin_answers WHERE at < now() - make_interval(secs => setting_int('idempotency_ttl_s')) LIMIT 100));
    END IF;
    RETURN v_answer;
END $$;
