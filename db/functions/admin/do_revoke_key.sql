CREATE OR REPLACE FUNCTION do_revoke_key(p_name text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    UPDATE api_keys SET revoked_at = now() WHERE name = p_name AND revoked_at IS NULL;
    v_code := CASE WHEN FOUND THEN 'ok' ELSE 'no_such_key' END;
    INSERT INTO audit (action, detail, code)
    VALUES ('revoke_key', jsonb_build_object('name', p_name), v_code);
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_revoke_key IS
'Revokes an API key.
Refusals: no_such_key (also: revoked before).
Called by server.';
