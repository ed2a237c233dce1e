CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
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
    END IF;
    IF pg_trigger_depth() < 2
       OR (NEW.id, NEW.kind, NEW.currency, NEW.player_id, NEW.table_id, NEW.cause)
          IS DISTINCT FROM (OLD.id, OLD.kind, OLD.currency, OLD.player_id, OLD.table_id, OLD.cause) THEN
        RAISE EXCEPTION 'ledger: a balance changes only by a posting' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

COMMENT ON FUNCTION ledger_account_guard IS
'An account is born empty, with a number of its sequence, and changes only in its balance, and that only from
within the guard of the postings (depth 1 is a statement of a user, depth 2 one of a trigger).
Refusals: check_violation.
Called by the trigger account_guard of accounts.';
