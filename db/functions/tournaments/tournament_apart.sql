CREATE OR REPLACE FUNCTION tournament_apart(p_tournament tournaments, p_order integer[], p_tables integer)
    RETURNS integer[]
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    c_ahead CONSTANT integer := 16; -- so far down the order somebody else is looked for
    v_n      integer := cardinality(p_order);
    v_wait   integer[] := '{}'; -- the next in order who have no seat yet
    v_next   integer := 1;
    v_table  integer[] := '{}';
    v_pick   integer;
    v_result integer[] := '{}';
BEGIN
    FOR i IN 1 .. v_n LOOP
        WHILE v_next <= v_n AND cardinality(v_wait) < c_ahead LOOP
            v_wait := array_append(v_wait, p_order[v_next]);
            v_next := v_next + 1;
        END LOOP;
        IF (tournament_table_of(i, v_n, p_tables)).seat = 0 THEN
            v_table := '{}';
        END IF;
        v_pick := v_wait[1];
        IF v_table <> '{}' THEN
            SELECT w.entry_no INTO v_pick FROM unnest(v_wait) WITH ORDINALITY w (entry_no, n)
            ORDER BY (w.entry_no = p_order[v_n] AND i < v_n AND p_tournament.seats_n = 2 AND v_n % 2 = 1),
                     EXISTS (SELECT 1 FROM tournament_seats a JOIN tournament_seats b
                                 ON b.tournament_id = a.tournament_id AND b.round_no = a.round_no
                                AND b.table_no = a.table_no AND b.entry_no = ANY (v_table)
                             WHERE a.tournament_id = p_tournament.id AND a.entry_no = w.entry_no), w.n
            LIMIT 1;
        END IF;
        v_wait := array_remove(v_wait, v_pick);
        v_table := array_append(v_table, v_pick);
        v_result := array_append(v_result, v_pick);
    END LOOP;
    RETURN v_result;
END $$;

COMMENT ON FUNCTION tournament_apart IS
'The order in which entrants go to their tables: each next seat is that of the next in order who has met
nobody at this table yet, looked for among the next 16; when all of them have, of the next one. Who is alone
in this round stays last.
Called by tournament_draw.';
