CREATE OR REPLACE FUNCTION tournament_table_of(p_i integer, p_n integer, p_tables integer,
                                               OUT table_no integer, OUT seat smallint)
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_small integer := p_n / p_tables;
    v_large integer := p_n % p_tables; -- this many tables have one more seat
    v_split integer := v_large * (v_small + 1);
BEGIN
    IF p_i <= v_split THEN
        table_no := (p_i - 1) / (v_small + 1) + 1;
        seat := (p_i - 1) % (v_small + 1);
    ELSE
        table_no := v_large + (p_i - v_split - 1) / v_small + 1;
        seat := (p_i - v_split - 1) % v_small;
    END IF;
END $$;

COMMENT ON FUNCTION tournament_table_of IS
'Table (from 1) and seat (from 0) of the p_i-th of p_n entrants who are distributed over this many tables in
order.
Called by tournament_draw.';
