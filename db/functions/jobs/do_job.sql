CREATE OR REPLACE FUNCTION do_job(p_key_hash bytea, p_job text, p_idem_key text, p_body_hash bytea,
                                  p_step integer)
    RETURNS TABLE (code text, again boolean, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_key  bigint;
    v_code text;
    v_run  job_runs;
    v_step job_step;
BEGIN
    IF p_step = 0 THEN
        SELECT e.code, e.key_id INTO v_code, v_key
        FROM admin_enter(p_key_hash, 'job:' || p_job, jsonb_build_object('idempotency_key', p_idem_key),
                         CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE job = p_job) THEN 'ok'
                              ELSE 'no_such_job' END) e;
    ELSE
        SELECT m.code, m.key_id INTO v_code, v_key FROM admin_key_may(p_key_hash, 'job:' || p_job) m;
    END IF;
    IF v_code = 'ok' AND job_clock_is_back(p_job, now())
       AND NOT EXISTS (SELECT 1 FROM job_runs WHERE key_id = v_key AND idem_key = p_idem_key) THEN
        v_code := 'clock_set_back';
    END IF;
    IF v_code = 'ok' THEN
        INSERT INTO job_runs (job, key_id, idem_key, body_hash) VALUES (p_job, v_key, p_idem_key, p_body_hash)
        ON CONFLICT (key_id, idem_key) DO NOTHING;
        SELECT * INTO STRICT v_run FROM job_runs WHERE key_id = v_key AND idem_key = p_idem_key FOR UPDATE;
        IF v_run.job <> p_job OR v_run.body_hash <> p_body_hash THEN
            v_code := 'idempotency_key_reused';
        END IF;
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, false, NULL::text;
        RETURN;
    END IF;
    PERFORM set_config('rummyd.repeated', (v_run.done_at IS NOT NULL)::text, true);
    IF v_run.done_at IS NULL THEN
        v_step := job_step_of(p_job, now());
        UPDATE job_runs SET steps = steps + 1, result = add_counts(result, v_step.result),
                            done_at = CASE WHEN NOT v_step.more THEN clock_timestamp() END
        WHERE id = v_run.id RETURNING * INTO v_run;
        IF NOT v_step.more THEN
            UPDATE jobs SET done_at = v_run.done_at WHERE job = p_job;
        END IF;
    END IF;
    RETURN QUERY SELECT 'ok', v_run.done_at IS NULL AND p_step + 1 < setting_int('job_steps_max'),
        jsonb_build_object('run', v_run.id::text, 'job', v_run.job, 'done', v_run.done_at IS NOT NULL,
                           'steps', v_run.steps,
                           'started_at', rfc3339(v_run.started_at), 'result', v_run.result)::text;
END $$;

COMMENT ON FUNCTION do_job IS
'One step of a call of a job. The caller continues with p_step + 1 while `again`. Each step is a separate
transaction, so that a killed call has completed whole steps, and the next call continues after them. body:
the reply, once `again` is false.
Key: p_idem_key of the API key. A repeat continues the call, or returns its reply.
Refusals: those of admin_key_may, no_such_job, idempotency_key_reused, clock_set_back (a job that pays, called
at an earlier time than its last run; a call that has already begun continues).
Called by api.';
