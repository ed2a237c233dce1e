CREATE OR REPLACE FUNCTION local_day(p_at timestamptz) RETURNS date
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (p_at AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone'))::date);
END $$;

COMMENT ON FUNCTION local_day IS
'The calendar day of a moment, by the zone of the settings.
Called by add_rating, begin_player_days, board_named, daily_bonus_step, do_daily_bonus, do_purge_days,
local_midnight, monthly_prizes_step, note_day_played, q_bonus, q_player, start_solo.';
