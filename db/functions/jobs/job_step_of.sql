CREATE OR REPLACE FUNCTION job_step_of(p_job text, p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_step job_step;
BEGIN
    EXECUTE format('SELECT * FROM %I($1)', p_job || '_step') INTO v_step USING p_at;
    RETURN v_step;
END $$;

COMMENT ON FUNCTION job_step_of IS
'Performs one step of a job, by calling the function J_step for job J.
Called by do_job.';
