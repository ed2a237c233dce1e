CREATE OR REPLACE FUNCTION ledger_balance_posted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp SET enable_seqscan = off AS $$
DECLARE
    v_balance bigint;
    v_posted  bigint;
BEGIN
    SELECT a.balance, coalesce((SELECT p.balance_after FROM public.postings p WHERE p.account_id = a.id
                                ORDER BY p.id DESC LIMIT 1), 0)
    INTO v_balance, v_posted
    FROM public.accounts a WHERE a.id = NEW.id;
    IF v_balance IS NOT NULL AND v_balance <> v_posted THEN
        RAISE EXCEPTION 'ledger: account % has a balance of % without a posting', NEW.id, v_balance
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION ledger_balance_posted IS
'Verifies at the end of the transaction that a balance is what the last posting left. Detects a change that
bypassed the guard of the accounts.
Refusals: check_violation.
Called by the trigger balance_posted of accounts.';
