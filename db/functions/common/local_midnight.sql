CREATE OR REPLACE FUNCTION local_midnight(p_at timestamptz) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT midnight_of(local_day(p_at))
$$;

COMMENT ON FUNCTION local_midnight IS
'The midnight that began the day of a moment, in the settings'' time zone.
Called by played_today_s, purchased_minor.';
