CREATE OR REPLACE FUNCTION rfc3339(p_at timestamptz) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

COMMENT ON FUNCTION rfc3339 IS
'A time in the API''s format: UTC, with milliseconds.
Called everywhere.';
