CREATE OR REPLACE FUNCTION note_days_played(p_players bigint[], p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = streak_before(d, v_day) + 1,
        streak_best = greatest(d.streak_best, streak_before(d, v_day) + 1)
    WHERE d.player_id = ANY (p_players) AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

COMMENT ON FUNCTION note_days_played IS
'Records that these players finished a game on this day, for their streaks. The caller holds their locks and
has credited the midnights due.
Called by note_players_played.';
