CREATE OR REPLACE FUNCTION do_puzzle_days() RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_day date;
    v_new bigint := 0;
BEGIN
    FOR n IN 0 .. 1 LOOP
        v_day := (now() AT TIME ZONE 'UTC')::date + n;
        CONTINUE WHEN EXISTS (SELECT 1 FROM puzzle_days WHERE day = v_day);
        INSERT INTO puzzle_days (day, puzzle_id)
        SELECT v_day, o.id FROM puzzle_of_day(v_day) AS o (id) WHERE o.id IS NOT NULL
        ON CONFLICT (day) DO NOTHING;
        v_new := v_new + FOUND::integer;
    END LOOP;
    RETURN v_new;
END $$;

COMMENT ON FUNCTION do_puzzle_days IS
'Chooses the puzzles of today and tomorrow (UTC) unless they have been chosen; returns how many are new. A
choice is final, even if the puzzle is disputed later.
Key: the day.
Called by server, puzzle_try_store.';
