CREATE OR REPLACE FUNCTION puzzle_of_day(p_day date) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT p.id
    FROM puzzles p
    LEFT JOIN (SELECT q.variant, max(d.day) AS day FROM puzzle_days d JOIN puzzles q ON q.id = d.puzzle_id
               GROUP BY q.variant) v ON v.variant = p.variant
    LEFT JOIN (SELECT puzzle_id, max(day) AS day FROM puzzle_days GROUP BY puzzle_id) u ON u.puzzle_id = p.id
    WHERE p.withdrawn_at IS NULL
    ORDER BY u.day NULLS FIRST, p.reserved DESC, v.day NULLS FIRST, abs(p.rating - 1500) > 150, p.variant,
             md5(to_char(p_day, 'YYYY-MM-DD') || ':' || p.id), p.id
    LIMIT 1
$$;

COMMENT ON FUNCTION puzzle_of_day IS
'The puzzle for a day: preferably one that has not been used for any day, reserved for that if possible, of
the variant whose turn it is, and with a moderate rating. NULL: there is none.
Called by do_puzzle_days, puzzle_today.';
