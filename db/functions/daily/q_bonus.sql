CREATE OR REPLACE FUNCTION q_bonus(p_player bigint, p_at timestamptz)
    RETURNS TABLE (due boolean, streak integer, played_today boolean, today_amount bigint, today_lost bigint,
                   tomorrow_amount bigint, tomorrow_at timestamptz)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(d.bonus_day < t.today, false),
           CASE WHEN d.player_id IS NULL THEN 0
                ELSE greatest(streak_before(d, t.today), streak_before(d, t.today + 1)) END,
           coalesce(d.played_day = t.today, false), b.amount, b.lost,
           CASE WHEN d.player_id IS NULL THEN 0
                ELSE daily_amount(streak_before(d, t.today + 1), p.level) END,
           midnight_of(t.today + 1)
    FROM players p LEFT JOIN player_days d ON d.player_id = p.id
    CROSS JOIN (SELECT local_day(p_at) AS today OFFSET 0) t -- evaluated once
    LEFT JOIN LATERAL (
        SELECT sum(o.amount) FILTER (WHERE o.reason = 'daily')::bigint AS amount,
               coalesce(-sum(o.amount) FILTER (WHERE o.reason = 'over_cap'), 0)::bigint AS lost
        FROM transfers f JOIN postings o ON o.transfer_id = f.id
        WHERE f.key = daily_key(p_player, t.today)
          AND o.account_id = account_purse(p_player, 'silver')) b
        ON b.amount IS NOT NULL
    WHERE p.id = p_player
$$;

COMMENT ON FUNCTION q_bonus IS
'The daily bonus as the wallet shows it. due: a midnight has not been credited yet. today_*: values of the
last midnight; NULL on a player''s first day. tomorrow_*: what the next midnight will bring as things stand,
before the cap. A bot account gets no bonus, so its values are zero.
Called by api.';
