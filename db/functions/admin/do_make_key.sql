CREATE OR REPLACE FUNCTION do_make_key(p_name text, p_role text, p_holder text, p_days bigint,
                                       p_key_hash bytea, p_prefix text)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    SELECT m.code INTO v_code
    FROM make_api_key(NULL, p_name, p_role, p_holder, p_days, NULL, p_key_hash, p_prefix) m;
    INSERT INTO audit (action, detail, code)
    VALUES ('make_key', jsonb_build_object('name', p_name, 'role', p_role, 'holder', p_holder,
                                           'days', p_days), v_code);
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_make_key IS
'Creates an API key at the console.
Refusals: those of make_api_key.
Called by server.';
