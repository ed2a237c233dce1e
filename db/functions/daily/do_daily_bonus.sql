CREATE OR REPLACE FUNCTION do_daily_bonus(p_players bigint[], p_at timestamptz) RETURNS bigint
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_today date := local_day(p_at);
    v_due   bigint[] := ARRAY(SELECT player_id FROM player_days
                              WHERE player_id = ANY (p_players) AND bonus_day < v_today);
BEGIN
    IF cardinality(v_due) = 0 THEN
        RETURN 0;
    END IF;
    PERFORM lock_players(v_due);
    -- After waiting for the lock, the midnight may already be credited.
    v_due := ARRAY(SELECT player_id FROM player_days
                   WHERE player_id = ANY (v_due) AND bonus_day < v_today FOR NO KEY UPDATE);
    RETURN post_daily_bonuses(v_due, v_today);
END $$;

COMMENT ON FUNCTION do_daily_bonus IS
'Credits the midnights that these players have missed, and returns how many. If the clock was set back, it
credits nothing.
Key: `daily:<player>:<day>` for each midnight.
Called by daily_bonus_step, do_wallet_bonus, pay_daily_before_games, session_answer.';
