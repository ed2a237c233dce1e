CREATE OR REPLACE FUNCTION daily_streak(p_player bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    WITH RECURSIVE today AS (
        SELECT (now() AT TIME ZONE 'UTC')::date AS day
    ), played AS MATERIALIZED (
        SELECT DISTINCT n.day FROM deal_plays p JOIN daily_deals n ON n.deal_id = p.deal_id
        WHERE p.player_id = p_player AND p.state = 'done' AND NOT p.left_early
    ), row AS (
        SELECT max(p.day) AS day FROM played p, today t WHERE p.day >= t.day - 1
        UNION ALL
        SELECT p.day FROM row r JOIN played p ON p.day = r.day - 1
    )
    SELECT count(day) FROM row
$$;

COMMENT ON FUNCTION daily_streak IS
'Number of consecutive days, up to today or yesterday, on which a player finished a daily deal themselves.
Called by q_daily_deals, q_player, q_week.';
