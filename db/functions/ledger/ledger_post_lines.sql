CREATE OR REPLACE FUNCTION ledger_post_lines(p_lines ledger_line[]) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_ids  bigint[];
    v_line ledger_line;
    v_one  boolean := true; -- all lines belong to one transfer
BEGIN
    FOREACH v_line IN ARRAY p_lines LOOP
        v_one := v_line.key = p_lines[1].key;
        EXIT WHEN NOT v_one;
    END LOOP;
    IF v_one THEN
        INSERT INTO transfers (cause, key, table_id)
        VALUES (v_line.cause, v_line.key, v_line.table_id) RETURNING ARRAY[id] INTO v_ids;
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT v_ids[1], l.account_id, l.amount, l.reason
        FROM unnest(p_lines) WITH ORDINALITY AS l (cause, key, table_id, account_id, amount, reason, n)
        WHERE l.amount <> 0
        ORDER BY l.n;
        RETURN;
    END IF;
    WITH head AS (
        INSERT INTO transfers (cause, key, table_id)
        SELECT l.cause, l.key, l.table_id
        FROM unnest(p_lines) WITH ORDINALITY AS l (cause, key, table_id, account_id, amount, reason, n)
        WHERE l.amount <> 0 GROUP BY l.cause, l.key, l.table_id ORDER BY min(l.n)
        RETURNING id
    )
    SELECT array_agg(id ORDER BY id) INTO v_ids FROM head;
    INSERT INTO postings (id, transfer_id, account_id, amount, reason, balance_after)
    SELECT nextval('postings_id'), v_ids[o.head], o.account_id, o.amount, o.reason, o.after
    FROM (SELECT h.account_id, h.amount, h.reason, dense_rank() OVER (ORDER BY h.first) AS head,
                 (SELECT a.balance FROM accounts a WHERE a.id = h.account_id)
                 + sum(h.amount) OVER (PARTITION BY h.account_id ORDER BY h.n) AS after
          FROM (SELECT l.*, min(l.n) OVER (PARTITION BY l.key) AS first
                FROM unnest(p_lines) WITH ORDINALITY
                     AS l (cause, key, table_id, account_id, amount, reason, n)
                WHERE l.amount <> 0) h
          ORDER BY h.n) o;
END $$;

COMMENT ON FUNCTION ledger_post_lines IS
'Writes transfers in two statements, from their lines in the order in which they move balances; lines of 0 are
left out. The trigger posting_apply numbers the lines of a single transfer, which is cheaper for so few. The
caller holds the locks of the players, and has checked that no key was used before.
Key of each transfer: that of its lines. Raises if a key was used before, the lines do not balance, or a purse
would fall below zero.
Called by seat_players, settle_post.';
