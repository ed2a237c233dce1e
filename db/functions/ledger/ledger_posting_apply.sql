CREATE OR REPLACE FUNCTION ledger_posting_apply() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE public.accounts SET balance = balance + NEW.amount
    WHERE id = NEW.account_id AND kind <> 'house'
    RETURNING balance INTO NEW.balance_after;
    IF NOT FOUND THEN
        NEW.balance_after := NULL; -- a house account, or none (the guard of transfers refuses that)
    END IF;
    NEW.id := nextval('public.postings_id'); -- not before the lock is held
    RETURN NEW;
END $$;

COMMENT ON FUNCTION ledger_posting_apply IS
'Numbers a posting that comes without an id and moves the balance of its purse or hold along. The row lock
this takes keeps two concurrent transfers from spending the same chips. A posting that comes with an id
brings its balance, too: ledger_balances_follow proves it.
Called by the trigger posting_apply of postings.';
