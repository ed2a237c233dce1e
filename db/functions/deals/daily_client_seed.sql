CREATE OR REPLACE FUNCTION daily_client_seed(p_day date) RETURNS bytea
    LANGUAGE plpgsql AS $$
DECLARE
    v_seed bytea;
BEGIN
    -- Players who submit a seed lock the row of that day, so every accepted seed is visible here.
    UPDATE daily_days SET closed = true WHERE day < p_day AND NOT closed;
    UPDATE daily_days SET client_seed = sha256(
        'rummy-daily-seeds-1'::bytea || convert_to(to_char(p_day, 'YYYY-MM-DD'), 'UTF8')
        || coalesce((SELECT string_agg(set_byte('\x00', 0, octet_length(s.seed)) || s.seed, '' ORDER BY s.id)
                     FROM daily_seeds s WHERE s.day = p_day - 1), ''))
    WHERE day = p_day AND client_seed IS NULL RETURNING client_seed INTO v_seed;
    RETURN coalesce(v_seed, (SELECT client_seed FROM daily_days WHERE day = p_day));
END $$;

COMMENT ON FUNCTION daily_client_seed IS
'The client seed of a day, computed on first use from the seeds of all entrants of the day before, in order
of arrival. That day then accepts no more seeds. The caller has locked the row of the day.
Called by daily_deal.';
