CREATE OR REPLACE FUNCTION setting_on(p_name text) RETURNS boolean
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_value text := (SELECT value FROM settings WHERE name = p_name);
BEGIN
    IF v_value IS NULL OR v_value NOT IN ('on', 'off') THEN
        RAISE EXCEPTION 'setting % must be on or off (got %)', p_name, v_value;
    END IF;
    RETURN v_value = 'on';
END $$;

COMMENT ON FUNCTION setting_on IS
'Whether an operator has switched this setting on. Raises if the row is missing or its value is neither on nor
off.
Called by do_admin_tournament.';
