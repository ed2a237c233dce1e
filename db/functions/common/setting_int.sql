CREATE OR REPLACE FUNCTION setting_int(p_name text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_value bigint;
BEGIN
    SELECT value::bigint INTO v_value FROM settings WHERE name = p_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'setting % is missing', p_name;
    END IF;
    RETURN v_value;
END $$;

COMMENT ON FUNCTION setting_int IS
'The value of a numeric setting. It does not change within a statement. Raises if the row is missing or is
not a number.
Called everywhere.';
