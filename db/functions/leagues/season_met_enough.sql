CREATE OR REPLACE FUNCTION season_met_enough(s seasons, p_player bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE COST 10000 AS $$
DECLARE
    v_min bigint := setting_int('prize_people_min');
BEGIN
    RETURN v_min = 0 OR opponents_met_n(p_player, 'rummy51', s.starts_at, s.ends_at, true) >= v_min;
END $$;

COMMENT ON FUNCTION season_met_enough IS
'Whether a player met enough others in the league games of a season for a prize or the achievement of its
first place (setting prize_people_min).
Called by count_season_results, season_prizes.';
