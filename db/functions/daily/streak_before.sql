CREATE OR REPLACE FUNCTION streak_before(p_days player_days, p_day date) RETURNS integer
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_days.played_day = p_day - 1 THEN p_days.streak ELSE 0 END
$$;

COMMENT ON FUNCTION streak_before IS
'The streak that counts at the midnight before p_day: consecutive days with a finished game, up to the day
before.
Called by note_days_played, post_daily_bonuses, q_bonus, q_player.';
