CREATE OR REPLACE FUNCTION q_daily_seeds(p_day date, p_after bigint, p_at2 bigint, p_at3 bigint,
                                         p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_day record;
BEGIN
    SELECT day, client_seed INTO v_day FROM daily_days WHERE day = p_day;
    RETURN QUERY
    SELECT CASE WHEN v_day.day IS NULL THEN 'no_such_daily'
                WHEN v_day.client_seed IS NULL THEN 'daily_not_begun' ELSE 'ok' END,
           jsonb_build_object('day', p_day, 'client_seed', encode(v_day.client_seed, 'hex'))::text,
           NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('seed', encode(s.seed, 'hex'))::text, s.id, 0::bigint, 0::bigint
    FROM daily_seeds s
    WHERE s.day = p_day - 1 AND s.id > coalesce(p_after, 0) AND v_day.client_seed IS NOT NULL
    ORDER BY s.id LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_daily_seeds IS
'The seeds from which a day''s client seed is made, in order, after p_after. The first row is the head.
Refusals: no_such_daily, daily_not_begun.
Called by api.';
