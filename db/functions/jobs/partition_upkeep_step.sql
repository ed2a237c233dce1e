CREATE OR REPLACE FUNCTION partition_upkeep_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    p      partitioned;
    v_now  bigint;
    v_done jsonb;
    v_busy bigint := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd partitions', 0));
    PERFORM set_config('lock_timeout', setting_int('partition_lock_ms')::text, true);
    FOR p IN SELECT * FROM partitioned ORDER BY parent LOOP
        v_now := partition_now(p, p_at);
        BEGIN
            FOR v_no IN v_now .. v_now + p.ahead LOOP
                IF NOT EXISTS (SELECT 1 FROM partitions WHERE parent = p.parent AND no = v_no)
                   AND partition_make(p, v_no) IS NOT NULL THEN
                    RETURN ROW(true, '{"made": 1}')::job_step;
                END IF;
            END LOOP;
            v_done := CASE WHEN p.keep IS NOT NULL THEN partition_forget(p, v_now) END;
            IF v_done IS NOT NULL THEN
                RETURN ROW(true, v_done)::job_step;
            END IF;
        EXCEPTION WHEN lock_not_available THEN
            v_busy := v_busy + 1;
        END;
    END LOOP;
    v_done := league_boards_forget();
    RETURN ROW(v_done IS NOT NULL, coalesce(v_done, '{}') || CASE
        WHEN v_busy > 0 THEN jsonb_build_object('busy', v_busy) ELSE '{"made": 0}' END)::job_step;
END $$;

COMMENT ON FUNCTION partition_upkeep_step IS
'Creates or drops one partition; if there is none to create or drop, removes a part of an ended league''s
table. A table that is locked is left for the next run.
Called by the job partition_upkeep.';
