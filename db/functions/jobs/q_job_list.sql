CREATE OR REPLACE FUNCTION q_job_list(p_key_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    SELECT e.code INTO v_code FROM admin_enter(p_key_hash, 'job:list', '{}', 'ok') e;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'ok' THEN jsonb_build_object('items', (
        SELECT jsonb_agg(jsonb_build_object('job', j.job, 'every_s', j.every_s,
                                            'overdue', j.overdue,
                                            'done_at', rfc3339(j.done_at)) ORDER BY j.job)
        FROM q_jobs(now()) j))::text END;
END $$;

COMMENT ON FUNCTION q_job_list IS
'All jobs as JSON, and whether they are overdue.
Refusals: those of admin_enter.
Called by api.';
