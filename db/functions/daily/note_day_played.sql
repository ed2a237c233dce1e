CREATE OR REPLACE FUNCTION note_day_played(p_player bigint, p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_day date := local_day(p_at);
BEGIN
    UPDATE player_days d
    SET played_day = v_day, streak = s.streak, streak_best = greatest(d.streak_best, s.streak)
    FROM (SELECT player_id, streak_before(o, v_day) + 1 AS streak FROM player_days o
          WHERE o.player_id = p_player) s
    WHERE d.player_id = s.player_id AND (d.played_day IS NULL OR d.played_day < v_day);
END $$;

COMMENT ON FUNCTION note_day_played IS
'Notes that a player finished a game on this day, for their streak. The caller holds the lock and has
credited what was due.
Called by note_player_played.';
