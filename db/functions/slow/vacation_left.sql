CREATE OR REPLACE FUNCTION vacation_left(p_player bigint) RETURNS interval
    LANGUAGE sql STABLE AS $$
    SELECT greatest(make_interval(days => setting_int('vacation_days')::integer) - coalesce((
        SELECT CASE WHEN year = vacation_year() THEN used ELSE '0' END
               + coalesce(least(now(), until) - since, '0')
        FROM vacations WHERE player_id = p_player), '0'), '0')
$$;

COMMENT ON FUNCTION vacation_left IS
'Remaining vacation of a player this year: total minus what was used, including the elapsed part of a current
one.
Called by do_vacation, vacation_json.';
