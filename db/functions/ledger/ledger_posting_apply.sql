CREATE OR REPLACE FUNCTION ledger_posting_apply() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE public.accounts SET balance = balance + NEW.amount
    WHERE id = NEW.account_id AND kind <> 'house'
    RETURNING balance INTO NEW.balance_after;
    IF NOT FOUND THEN
        NEW.balance_after := NULL; -- a house account, or none (the guard of transfers rejects that)
    END IF;
    NEW.id := nextval('public.postings_id'); -- only once the lock is held
    RETURN NEW;
END $$;

COMMENT ON FUNCTION ledger_posting_apply IS
'Numbers a posting that comes without an id and moves the balance of its purse or hold. The row lock keeps two
concurrent transfers from spending the same chips. A posting with an id also brings its balance, which
ledger_balances_follow verifies.
Called by the trigger posting_apply of postings.';
