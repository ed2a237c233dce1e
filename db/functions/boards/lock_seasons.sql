CREATE OR REPLACE FUNCTION lock_seasons(p_alone boolean) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_alone THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('rummyd seasons', 0));
    ELSE
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('rummyd seasons', 0));
    END IF;
END $$;

COMMENT ON FUNCTION lock_seasons IS
'A caller that counts a game holds this lock in shared mode until commit; a caller that begins or ends a
season takes it exclusively for a moment, so that no game is counted for a season whose end has been
evaluated.
Called by count_league_games, monthly_prizes_step, season_close, season_finish.';
