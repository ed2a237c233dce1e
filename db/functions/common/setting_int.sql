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
'The number that an operator has set under this name. A statement sees one value. Raises if the row is missing
or is not a number.
Called everywhere.';
