CREATE OR REPLACE FUNCTION season_close(s seasons, p_at timestamptz) RETURNS jsonb
    LANGUAGE plpgsql AS $$
DECLARE
    v_first integer := (SELECT min(position) FROM leagues);
    v_open  text[] := ARRAY(SELECT leagues_to_open());
BEGIN
    PERFORM lock_seasons(true);
    PERFORM ensure_seasons(p_at);
    UPDATE leagues SET open = true WHERE id = ANY (v_open);
    UPDATE seasons SET state = 'closing', step = 'rank', at_position = v_first, at_place = 0, at_score = NULL,
    at_player = 0,
                       cuts = league_cuts(s.no, v_first, league_ranked_n(s.no, v_first), false)
    WHERE no = s.no;
    RETURN '{}';
END $$;

COMMENT ON FUNCTION season_close IS
'The first step of a season''s end: the season counts no more games, and leagues that are due are opened.
Slow evaluations come first, before games have to wait for the lock.
Called by season_rollover_step.';
