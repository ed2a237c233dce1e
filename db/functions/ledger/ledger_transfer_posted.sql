CREATE OR REPLACE FUNCTION ledger_transfer_posted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp SET enable_seqscan = off AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM public.postings WHERE transfer_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger: transfer % has no postings', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION ledger_transfer_posted IS
'Verifies at the end of the transaction that a transfer has postings.
Refusals: check_violation.
Called by the trigger transfer_posted of transfers.';
