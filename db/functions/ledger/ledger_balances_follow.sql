CREATE OR REPLACE FUNCTION ledger_balances_follow() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    v_account bigint;
    v_still   boolean; -- to be moved
BEGIN
    IF (SELECT max(id) FROM added) > (SELECT last_value FROM public.postings_id)
       OR (SELECT max(transfer_id) FROM added) > (SELECT last_value FROM public.transfers_id_seq) THEN
        RAISE EXCEPTION 'ledger: a number that was not given out yet' USING ERRCODE = 'check_violation';
    END IF;
    -- The last line shows whether the lines came with an id, so that one query checks both kinds.
    v_still := coalesce((SELECT a.balance <> p.balance_after
                         FROM added p JOIN public.accounts a ON a.id = p.account_id
                         WHERE p.balance_after IS NOT NULL ORDER BY p.id DESC LIMIT 1), false);
    LOOP
        IF v_still THEN
            WITH moved AS (
                SELECT p.account_id, (array_agg(p.balance_after ORDER BY p.id DESC))[1] AS last,
                       sum(p.amount) AS amount
                FROM added p JOIN public.accounts a ON a.id = p.account_id AND a.kind <> 'house'
                GROUP BY p.account_id
            )
            UPDATE public.accounts a SET balance = m.last FROM moved m
            WHERE a.id = m.account_id AND a.balance <> m.last AND a.balance = m.last - m.amount;
        END IF;
        SELECT l.account_id INTO v_account
        FROM (SELECT o.account_id, min(o.id) AS first_id, count(*) AS n, count(o.balance_after) AS known,
                     max(o.balance_after - o.running) AS began,
                     min(o.balance_after - o.running) AS began_too,
                     (array_agg(o.balance_after ORDER BY o.id DESC))[1] AS last,
                     min(o.balance) AS balance
              FROM (SELECT p.id, p.account_id, p.balance_after, a.balance,
                           sum(p.amount) OVER (PARTITION BY p.account_id ORDER BY p.id) AS running
                    FROM added p JOIN public.accounts a ON a.id = p.account_id AND a.kind <> 'house') o
              GROUP BY o.account_id) l
        WHERE l.known <> l.n OR l.began <> l.began_too OR l.balance <> l.last
           OR l.n <> (SELECT count(*) FROM public.postings q
                      WHERE q.account_id = l.account_id AND q.id >= l.first_id)
           OR l.began <> coalesce((SELECT q.balance_after FROM public.postings q
                                   WHERE q.account_id = l.account_id AND q.id < l.first_id
                                   ORDER BY q.id DESC LIMIT 1), 0)
        LIMIT 1;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        EXIT WHEN v_still;
        v_still := true;
    END LOOP;
    RAISE EXCEPTION 'ledger: the balance of account % does not follow from its postings',
        v_account USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_balances_follow IS
'Verifies for a whole statement that the balances of the purses and holds in it follow from the previous
postings, line by line, and that no other posting of the same accounts came in between. For lines that came
with an id, the balances are moved here, before the check. A number that has not been assigned yet is
refused, because later lines would sort before it, and the balance of its purse could never change again.
Refusals: check_violation.
Called by the trigger balances_follow of postings.';
