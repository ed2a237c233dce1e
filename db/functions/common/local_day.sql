CREATE OR REPLACE FUNCTION local_day(p_at timestamptz) RETURNS date
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'))::date);
END $$;

COMMENT ON FUNCTION local_day IS
'The calendar day of a moment, in the settings'' time zone.
Called everywhere.';
