CREATE OR REPLACE FUNCTION q_jobs(p_at timestamptz)
    RETURNS TABLE (job text, every_s bigint, done_at timestamptz, overdue boolean)
    LANGUAGE sql STABLE AS $$
    SELECT job, every_s, done_at,
           coalesce(done_at, since) + make_interval(secs => every_s + grace_s) < p_at
               OR coalesce(done_at > p_at + make_interval(secs => setting_int('clock_back_max_s')), false)
    FROM jobs ORDER BY job
$$;

COMMENT ON FUNCTION q_jobs IS
'All jobs. overdue: it should have run by now, or it last ran at a time in the future, so that an operator
must check the clock.
Called by server, admin_waiting, q_job_list.';
