CREATE OR REPLACE FUNCTION puzzle_today() RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT puzzle_id FROM puzzle_days WHERE day = t.today), puzzle_of_day(t.today))
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today OFFSET 0) t
$$;

COMMENT ON FUNCTION puzzle_today IS
'The puzzle of this day (UTC); before do_puzzle_days has made the choice, the one that it will make.
NULL: there is none.
Called by puzzle_is_shown, q_puzzle_daily.';
