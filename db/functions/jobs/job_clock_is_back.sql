CREATE OR REPLACE FUNCTION job_clock_is_back(p_job text, p_at timestamptz) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT by_time AND done_at IS NOT NULL
        AND p_at < done_at - make_interval(secs => setting_int('clock_back_max_s'))
    FROM jobs WHERE job = p_job
$$;

COMMENT ON FUNCTION job_clock_is_back IS
'Whether a job whose payments depend on the time is called with an earlier time than that of its last run.
Called by do_job.';
