CREATE OR REPLACE FUNCTION do_make_key(p_name text, p_role text, p_key_hash bytea)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text := 'ok';
BEGIN
    INSERT INTO api_keys (name, role, key_hash) VALUES (p_name, p_role, p_key_hash)
    ON CONFLICT (name) DO NOTHING;
    IF NOT FOUND THEN
        v_code := 'name_taken';
    END IF;
    INSERT INTO audit (action, detail, code)
    VALUES ('make_key', jsonb_build_object('name', p_name, 'role', p_role), v_code);
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_make_key IS
'Makes an API key; only the hash of it is known here.
Refusals: name_taken.
Called by server.';
