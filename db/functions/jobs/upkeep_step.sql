CREATE OR REPLACE FUNCTION upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_batch bigint := setting_int('job_batch');
    v_rows  bigint := do_purge(v_batch::integer);
    v_due   bigint := do_counts_due(least(v_batch, 500));
BEGIN
    RETURN ROW(v_rows >= v_batch OR v_due >= least(v_batch, 500),
               jsonb_build_object('rows', v_rows, 'counts', v_due))::job_step;
END $$;

COMMENT ON FUNCTION upkeep_step IS
'Removes expired rows and processes what is due, a batch at a time.
Called by the job upkeep.';
