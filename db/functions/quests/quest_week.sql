CREATE OR REPLACE FUNCTION quest_week(p_at timestamptz) RETURNS date
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN date_trunc('week', local_day(p_at)::timestamp)::date;
END $$;

COMMENT ON FUNCTION quest_week IS
'The Monday of the ISO week of a moment, in the settings'' time zone.
Called by count_quests, do_counts_due, do_purge, do_week_notices, q_quests, q_week.';
