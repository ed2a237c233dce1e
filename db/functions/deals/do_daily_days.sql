CREATE OR REPLACE FUNCTION do_daily_days() RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_today date := (now() AT TIME ZONE 'UTC')::date;
    v_n     bigint;
BEGIN
    INSERT INTO daily_days (day, seed, commit)
    SELECT m.day, m.seed, sha256(m.seed)
    FROM (SELECT v_today + n AS day, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
                                            || uuid_send(gen_random_uuid())) AS seed
          FROM generate_series(0, setting_int('daily_days_ahead')::integer) n OFFSET 0) m
    WHERE NOT EXISTS (SELECT 1 FROM daily_days d WHERE d.day = m.day)
    ORDER BY m.day
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_n = ROW_COUNT;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_daily_days IS
'Creates upcoming days with commitments to their seeds; returns how many are new. A seed is a hash of 366
random bits.
Locks: new days, in their order, so that two callers that create them at once cannot deadlock.
Called by server, do_daily_play.';
