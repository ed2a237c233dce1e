CREATE OR REPLACE FUNCTION midnight_of(p_day date) RETURNS timestamptz
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_at timestamptz := p_day::timestamp AT TIME ZONE (SELECT value FROM settings WHERE name = 'zone');
BEGIN
    RETURN CASE WHEN local_day(v_at - interval '1 hour') = p_day THEN v_at - interval '1 hour' ELSE v_at END;
END $$;

COMMENT ON FUNCTION midnight_of IS
'The moment at which a calendar day begins in the settings'' time zone, including clock changes: if clocks
go back over midnight, it is the first of the two midnights; if they go forward over it, the moment that
replaces midnight.
Called by ensure_seasons, local_midnight, monthly_prizes_step, q_bonus, q_quests, q_week, week_counts,
week_games.';
