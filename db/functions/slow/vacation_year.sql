CREATE OR REPLACE FUNCTION vacation_year() RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT extract(year FROM now() AT TIME ZONE 'UTC')::integer
$$;

COMMENT ON FUNCTION vacation_year IS
'The year (UTC) for which vacation days are counted.
Called by do_vacation, vacation_left.';
