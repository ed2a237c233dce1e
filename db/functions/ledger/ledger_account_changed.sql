CREATE OR REPLACE FUNCTION ledger_account_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger: a balance changes only by a posting, the table of a hold only while it is empty'
        USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_account_changed IS
'Refuses a change of an account. The condition of its trigger defines which changes: any change by a user''s
own statement, and from within a trigger (such as the guards of the postings) any change except that of the
balance. An empty hold that remains empty may move to another table. The condition decides this, because it
costs next to nothing for each balance that moves, and a function call costs much more.
Refusals: check_violation, always.
Called by the trigger account_changed of accounts.';
