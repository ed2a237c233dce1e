CREATE OR REPLACE FUNCTION q_ledger_since(p_transfer bigint, p_hash bytea)
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE
    SET search_path = public, pg_temp AS $$
    SELECT 'rewritten', 'head ' || p_transfer,
           CASE WHEN c.hash IS NULL THEN 'this transfer is not in the chain'
                ELSE 'the chain has another hash here: it was rebuilt with changes' END
    FROM (SELECT 1) one LEFT JOIN ledger_chain c ON c.transfer_id = p_transfer
    WHERE c.hash IS DISTINCT FROM p_hash
$$;

COMMENT ON FUNCTION q_ledger_since IS
'Whether the chain still contains a published head: one row if it does not. Together with a clean
q_ledger_check, this means that nothing up to the head has been changed since.
Called by db.';
