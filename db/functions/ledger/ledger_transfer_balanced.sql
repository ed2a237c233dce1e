CREATE OR REPLACE FUNCTION ledger_transfer_balanced() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
    SET enable_seqscan = off AS $$
DECLARE
    v_transfer bigint;
    v_alone    boolean;
    v_wrong    boolean;
    v_head     boolean;
BEGIN
    -- Transfers are counted, because for EXISTS, PostgreSQL would hash all transfers each time.
    SELECT g.transfer_id, bool_or(g.alone), bool_or(g.wrong),
           (SELECT count(*) FROM public.transfers t WHERE t.id = g.transfer_id) = 1
    INTO v_transfer, v_alone, v_wrong, v_head
    FROM (SELECT p.transfer_id, a.currency, count(*) AS n, bool_or(a.id IS NULL) AS alone,
                 sum(p.amount) <> 0 OR coalesce(bool_or(a.kind = 'house' AND p.balance_after IS NOT NULL),
                                                true) AS wrong,
                 min(a.table_id) AS held_at, max(a.table_id) AS held_to -- only holds belong to a table
          FROM added p LEFT JOIN public.accounts a ON a.id = p.account_id
          GROUP BY p.transfer_id, a.currency) g
    GROUP BY g.transfer_id
    HAVING bool_or(g.alone) OR bool_or(g.wrong)
        OR (SELECT count(*) FROM public.transfers t
            WHERE t.id = g.transfer_id
              AND (min(g.held_at) IS NULL
                   OR t.table_id = min(g.held_at) AND t.table_id = max(g.held_to))) <> 1
        OR sum(g.n) <> (SELECT count(*) FROM public.postings q WHERE q.transfer_id = g.transfer_id)
    ORDER BY 2 DESC, 3 DESC LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF v_alone THEN
        RAISE EXCEPTION 'ledger: transfer % has a line of no account',
            v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF v_wrong THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero',
            v_transfer USING ERRCODE = 'check_violation';
    ELSIF NOT v_head THEN
        RAISE EXCEPTION 'ledger: there is no transfer %', v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF EXISTS (SELECT 1 FROM added p JOIN public.accounts a ON a.id = p.account_id AND a.kind = 'hold'
                  JOIN public.transfers t ON t.id = p.transfer_id
                  WHERE t.id = v_transfer AND a.table_id IS DISTINCT FROM t.table_id) THEN
        RAISE EXCEPTION 'ledger: transfer % moves what is held for another table',
            v_transfer USING ERRCODE = 'check_violation';
    END IF;
    RAISE EXCEPTION 'ledger: transfer % has its postings already',
        v_transfer USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_transfer_balanced IS
'Verifies for a whole statement that it contains all postings of a transfer, that they sum to zero in each
currency, and that they refer to existing accounts and transfers and only to holds of the transfer''s own
table. It replaces foreign keys, with one lookup for all lines.
Refusals: check_violation, foreign_key_violation.
Called by the trigger transfer_balanced of postings.';
