CREATE OR REPLACE FUNCTION daily_bonus_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_players bigint[] := ARRAY(SELECT player_id FROM player_days WHERE bonus_day < local_day(p_at)
                                ORDER BY bonus_day, player_id LIMIT setting_int('job_batch'));
BEGIN
    RETURN ROW(cardinality(v_players) = setting_int('job_batch'),
               jsonb_build_object('players', cardinality(v_players),
                                  'midnights', do_daily_bonus(v_players, p_at)))::job_step;
END $$;

COMMENT ON FUNCTION daily_bonus_step IS
'Credits midnights that players have not claimed; job_batch players per step.
Called by the job daily_bonus.';
