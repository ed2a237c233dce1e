CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.kind <> 'house' AND NEW.balance IS NULL THEN
        NEW.balance := 0;
    END IF;
    IF NEW.balance <> 0 THEN
        RAISE EXCEPTION 'ledger: an account starts empty' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.id > (SELECT last_value FROM public.accounts_id_seq) THEN
        RAISE EXCEPTION 'ledger: a number that was not given out yet' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION ledger_account_guard IS
'Verifies that a new account is empty and has a number from its sequence.
Refusals: check_violation.
Called by the trigger account_guard of accounts.';
