CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger: % of % is not allowed', lower(TG_OP),
    TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_refuse IS
'Prevents any change, deletion, or truncation in the ledger.
Refusals: check_violation, always.
Called by the trigger account_kept of accounts, the trigger chain_kept of ledger_chain, the trigger head_kept
of ledger_heads, the trigger posting_kept of postings, the trigger transfer_kept of transfers.';
