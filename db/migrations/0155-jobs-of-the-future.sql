-- A job that was done at a time that has not come yet has no time it could be overdue by: it counts as overdue, so
-- that somebody looks at the clock. (Those that do not pay by the time run all the same, and are done now.)
CREATE OR REPLACE FUNCTION q_jobs(p_at timestamptz)
    RETURNS TABLE (job text, about text, every_s bigint, done_at timestamptz, overdue boolean)
    LANGUAGE sql STABLE AS $$
    SELECT job, about, every_s, done_at,
           coalesce(done_at, since) + make_interval(secs => every_s + grace_s) < p_at
               OR coalesce(done_at > p_at + make_interval(secs => setting_int('clock_back_max_s')), false)
    FROM jobs ORDER BY job
$$;
