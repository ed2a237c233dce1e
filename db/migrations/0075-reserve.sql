-- What a player has used of his reserve stands with the move that was made in it: data, which a restart reads again. It is
-- the sum over the whole game; 0 with all other moves.
ALTER TABLE journal ADD COLUMN reserve_ms integer NOT NULL DEFAULT 0 CHECK (reserve_ms >= 0);

-- As before (0008); p_reserves is empty when none of the moves was made in a reserve.
DROP FUNCTION do_journal_append(text, bigint, bigint[], integer[], integer[], smallint[], bytea[], bigint[], text[]);
CREATE FUNCTION do_journal_append(p_node text, p_epoch bigint, p_tables bigint[], p_hands integer[], p_vs integer[],
                                  p_seats smallint[], p_moves bytea[], p_hashes bigint[], p_commands text[],
                                  p_reserves integer[] DEFAULT '{}')
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_n bigint;
BEGIN
    IF NOT node_holds(p_node, p_epoch) THEN
        RETURN NULL;
    END IF;
    INSERT INTO journal (table_id, hand_no, v, epoch, seat, move, hash, command, reserve_ms)
    SELECT table_id, hand_no, v, p_epoch, seat, move, hash, command, coalesce(reserve_ms, 0)
    FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands, p_reserves)
         AS r (table_id, hand_no, v, seat, move, hash, command, reserve_ms)
    ON CONFLICT (table_id, v) DO NOTHING;
    GET DIAGNOSTICS v_n = ROW_COUNT;
    IF v_n < cardinality(p_tables) THEN
        SELECT count(*) INTO v_n
        FROM unnest(p_tables, p_hands, p_vs, p_seats, p_moves, p_hashes, p_commands)
             AS r (table_id, hand_no, v, seat, move, hash, command)
        JOIN journal j USING (table_id, hand_no, v, seat, move, hash, command);
    END IF;
    RETURN v_n;
END $$;
