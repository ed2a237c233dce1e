CREATE OR REPLACE FUNCTION do_revoke_key(p_name text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_key  bigint := (SELECT id FROM api_keys WHERE name = p_name AND revoked_at IS NULL);
    v_code text   := CASE WHEN v_key IS NULL THEN 'no_such_key' ELSE 'ok' END;
BEGIN
    PERFORM key_revoke(v_key, v_key);
    INSERT INTO audit (action, detail, code)
    VALUES ('revoke_key', jsonb_build_object('name', p_name), v_code);
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_revoke_key IS
'Revokes an API key, with its pending proposals (key_revoke).
Refusals: no_such_key (also: revoked before).
Called by server.';
