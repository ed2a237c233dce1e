CREATE OR REPLACE FUNCTION daily_state(p_day date) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_day > t.today THEN 'upcoming' WHEN p_day = t.today THEN 'open'
                WHEN EXISTS (SELECT 1 FROM daily_deals n WHERE n.day = p_day AND NOT deal_is_open(n.deal_id))
                THEN 'closing' ELSE 'final' END
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
$$;

COMMENT ON FUNCTION daily_state IS
'upcoming, open, closing (the day is over, but games are still running), or final (everything is public).
Called by q_daily_board, q_daily_deals.';
