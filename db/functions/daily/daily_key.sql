CREATE OR REPLACE FUNCTION daily_key(p_player bigint, p_day date) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT 'daily:' || p_player || ':' || to_char(p_day, 'YYYY-MM-DD')
$$;

COMMENT ON FUNCTION daily_key IS
'Key of the transfer that credits the midnight at which a day began. Independent of the session''s DateStyle,
so that no session can credit a midnight twice.
Called by post_daily_bonuses, q_bonus.';
