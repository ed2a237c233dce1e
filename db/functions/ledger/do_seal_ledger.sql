CREATE OR REPLACE FUNCTION do_seal_ledger(p_max bigint)
    RETURNS TABLE (sealed bigint, more boolean, new_head text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    s      ledger_seal;
    v_upto bigint;
    v_n    bigint;
BEGIN
    sealed := 0;
    SELECT * INTO s FROM ledger_seal FOR UPDATE SKIP LOCKED;
    FOR v_try IN 1 .. CASE WHEN FOUND THEN 2 ELSE 0 END LOOP
        IF NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id > s.transfer_id AND t.id <= s.mark) THEN
            -- Read the number before the writers: any transaction with a smaller number is then among the
            -- writers, or has ended.
            s.mark := (SELECT last_value FROM transfers_id_seq);
            s.writers := ledger_writers();
        END IF;
        EXIT WHEN s.writers && ledger_writers();
        SELECT max(t.id), count(*) INTO v_upto, v_n
        FROM (SELECT id FROM transfers WHERE id > s.transfer_id AND id <= s.mark
              ORDER BY id LIMIT p_max - sealed) t;
        IF v_n > 0 THEN
            s.hash := ledger_chain_add(s.transfer_id, v_upto, s.hash);
            s.transfer_id := v_upto;
            sealed := sealed + v_n;
        END IF;
        EXIT WHEN sealed >= p_max;
    END LOOP;
    UPDATE ledger_seal SET transfer_id = s.transfer_id, hash = s.hash, mark = s.mark, writers = s.writers
    WHERE only_row = s.only_row;
    more := sealed >= p_max;
    IF NOT more AND s.transfer_id > 0 THEN
        INSERT INTO ledger_heads AS h (day, transfer_id, hash)
        VALUES (local_day(now()), s.transfer_id, s.hash)
        ON CONFLICT (day) DO NOTHING RETURNING h.transfer_id || ':' || encode(h.hash, 'hex') INTO new_head;
    END IF;
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION do_seal_ledger IS
'Adds committed transfers to the chain, at most p_max; once there are no more, stores the end of the chain as
the head of the day, if the day has none. more: call again. new_head: the first of its day, to be published.
Does nothing while another call is sealing.
Called by db.';
