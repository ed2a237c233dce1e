CREATE OR REPLACE FUNCTION do_journal_append(p_node text, p_epoch bigint, p_tables bigint[],
                                             p_hands integer[], p_vs integer[], p_seats smallint[],
                                             p_moves bytea[], p_hashes bigint[], p_commands text[],
                                             p_time_banks_ms integer[] DEFAULT '{}',
                                             p_left_tables bigint[] DEFAULT '{}',
                                             p_left_seats smallint[] DEFAULT '{}',
                                             p_hand_clocks_ms integer[] DEFAULT '{}')
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    IF NOT node_has_epoch(p_node, p_epoch) THEN
        RETURN NULL;
    END IF;
    IF p_left_tables <> '{}' THEN
        UPDATE seats s SET left_at = now() FROM unnest(p_left_tables, p_left_seats) AS l (table_id, seat)
        WHERE s.table_id = l.table_id AND s.seat = l.seat AND s.left_at IS NULL;
    END IF;
    BEGIN
        INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command, time_bank_ms,
                             hand_clock_ms)
        SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command, coalesce(time_bank_ms, 0),
               coalesce(hand_clock_ms, 0)
        FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands, p_time_banks_ms,
                    p_hand_clocks_ms)
             AS r (table_id, hand_no, v, seat, move, hash, command, time_bank_ms, hand_clock_ms);
        GET DIAGNOSTICS v_n = ROW_COUNT;
        RETURN v_n;
    EXCEPTION WHEN unique_violation THEN
        NULL;
    END;
    INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command, time_bank_ms,
                         hand_clock_ms)
    SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command, coalesce(time_bank_ms, 0),
           coalesce(hand_clock_ms, 0)
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands, p_time_banks_ms,
                p_hand_clocks_ms)
         AS r (table_id, hand_no, v, seat, move, hash, command, time_bank_ms, hand_clock_ms)
    ON CONFLICT (table_id, v) DO NOTHING;
    SELECT count(*) INTO v_n
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands)
         AS r (table_id, hand_no, v, seat, move, hash, command)
    JOIN journal j USING (table_id, hand_no, v, seat, move, hash, command);
    RETURN v_n;
END $$;

COMMENT ON FUNCTION do_journal_append IS
'Appends moves of any number of tables of one node; the arrays have the same length. May be repeated if the
outcome of the commit is unknown. Returns how many of the rows are in the journal exactly as given; fewer
means that a different row exists, NULL that the epoch is stale and no row was written. p_left_tables,
p_left_seats: seats whose players leave their games with one of these moves. Moves are inserted without
checking first whether they exist, because that happens only after an outage, when a batch with an unknown
outcome is repeated. Then the key rejects one of them, nothing of the batch is inserted, and the slower path
inserts what is missing and compares the rest.
Key: (table_id, v).
Called by db.';
