CREATE OR REPLACE FUNCTION daily_amount(p_streak integer, p_level integer) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN daily_amount_of(p_streak, p_level, setting_int('daily_base'), setting_int('daily_streak_step'),
                           setting_int('daily_streak_max'),
                        setting_int('daily_level_step'));
END $$;

COMMENT ON FUNCTION daily_amount IS
'Silver of a daily bonus, according to the settings. Without a streak, it is the amount for a streak of one
day.
Called by q_bonus.';

CREATE OR REPLACE FUNCTION daily_amount_of(p_streak integer, p_level integer, p_base bigint, p_step bigint,
                                           p_max bigint, p_level_step bigint)
    RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT p_base + p_step * (greatest(1, least(p_streak, p_max)) - 1) + p_level_step * (p_level - 1)
$$;

COMMENT ON FUNCTION daily_amount_of IS
'The same as daily_amount, from settings that were read before, so that many midnights can be computed at a
time.
Called by daily_amount, post_daily_bonuses.';
