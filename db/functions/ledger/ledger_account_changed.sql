CREATE OR REPLACE FUNCTION ledger_account_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger: a balance changes only by a posting, the table of a hold only while it is empty'
        USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_account_changed IS
'Refuses a change of an account. The condition of its trigger defines which: any change by a user''s own
statement, and any change except of the balance from within a trigger, such as the guards of the postings. An
empty hold that stays empty may move to another table. This is in the condition because a condition costs next
to nothing and a function much more, for each balance that moves.
Refusals: check_violation, always.
Called by the trigger account_changed of accounts.';
