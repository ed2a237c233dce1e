CREATE OR REPLACE FUNCTION q_ledger_check()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE plpgsql STABLE
    SET search_path = public, pg_temp AS $$
BEGIN
    -- A session keeps this plan, because planning takes longer than checking the ledger of a test.
    RETURN QUERY
    SELECT * FROM ledger_check_accounts()
    UNION ALL SELECT * FROM ledger_check_transfers()
    UNION ALL SELECT * FROM ledger_check_tables()
    UNION ALL SELECT * FROM ledger_check_results()
    UNION ALL SELECT * FROM ledger_check_rewards()
    UNION ALL SELECT * FROM ledger_check_days()
    UNION ALL SELECT * FROM ledger_check_tournaments()
    UNION ALL SELECT * FROM ledger_check_chain()
    ORDER BY 1, 2;
END
$$;

COMMENT ON FUNCTION q_ledger_check IS
'The ledger check of the whole database: one row per problem, no row if there are none. It also checks for
what keys and triggers make impossible, because an attacker may have removed them for a while.
Called by db.';
