CREATE OR REPLACE FUNCTION ledger_account_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger: a balance changes only by a posting, the table of a hold only while it is empty'
        USING ERRCODE = 'check_violation';
END $$;

COMMENT ON FUNCTION ledger_account_changed IS
'Refuses the change of an account. The condition of its trigger says which: any by a statement of a user, and
from within a trigger, as the guards of the postings are, any of something else than the balance. A hold that
is empty and stays so may move to another table. It stands there because a condition costs next to nothing and
a function a good deal, for each balance that moves.
Refusals: check_violation, always.
Called by the trigger account_changed of accounts.';
