CREATE OR REPLACE FUNCTION season_rollover_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    s seasons;
    v_result jsonb;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd season step', 0));
    SELECT * INTO STRICT s FROM seasons WHERE state IN ('opening', 'open', 'closing');
    IF s.state = 'open' AND s.ends_at > p_at THEN
        RETURN ROW(false, '{"seasons": 0}')::job_step;
    END IF;
    v_result := CASE WHEN s.state = 'opening' THEN season_open(s)
                     WHEN s.state = 'open' THEN season_close(s, p_at)
                     WHEN s.step = 'rank' THEN season_rank(s)
                     WHEN s.step = 'absent' THEN season_absent(s)
                     WHEN s.step = 'prizes' THEN season_prizes(s)
                     ELSE season_finish(s) END;
    RETURN ROW(true, v_result)::job_step;
END $$;

COMMENT ON FUNCTION season_rollover_step IS
'One step towards ending all seasons that are over at p_at. A step does a limited amount of work and stores
its progress in the season''s row, so that any caller can run the next one. Concurrent steps run one after
another.
Called by the job season_rollover.';
