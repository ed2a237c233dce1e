CREATE OR REPLACE FUNCTION vacation_year() RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT extract(year FROM now() AT TIME ZONE 'UTC')::integer
$$;

COMMENT ON FUNCTION vacation_year IS
'The year in which vacation days are counted, which begins in UTC.
Called by do_vacation, vacation_left.';
