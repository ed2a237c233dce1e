CREATE OR REPLACE FUNCTION ensure_seasons(p_at timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_last seasons;
BEGIN
    LOOP
        SELECT * INTO STRICT v_last FROM seasons ORDER BY no DESC LIMIT 1;
        EXIT WHEN v_last.ends_at > p_at;
        INSERT INTO seasons (no, starts_at, ends_at)
        VALUES (v_last.no + 1, v_last.ends_at,
                midnight_of(local_day(v_last.ends_at) + setting_int('season_days')::integer))
        ON CONFLICT (no) DO NOTHING;
    END LOOP;
END $$;

COMMENT ON FUNCTION ensure_seasons IS
'Creates every missing season up to a moment. Seasons follow each other without a gap.
Called by count_league_games, season_close.';
