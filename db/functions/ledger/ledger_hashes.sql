CREATE OR REPLACE FUNCTION ledger_hashes(p_after bigint, p_upto bigint)
    RETURNS TABLE (transfer_id bigint, hash bytea)
    LANGUAGE sql STABLE AS $$
    SELECT t.id, sha256(convert_to(
        ROW(t.id, t.cause, t.key, t.table_id, t.note, extract(epoch FROM t.at))::text
            || coalesce(l.lines, ''), 'UTF8'))
    FROM transfers t
    LEFT JOIN (SELECT p.transfer_id, string_agg(
                   ROW(p.id, p.amount, p.reason, p.balance_after, p.account_id, a.kind, a.currency,
                       a.player_id, CASE a.kind WHEN 'hold' THEN k.table_id ELSE a.table_id END,
                       a.cause)::text, '' ORDER BY p.id) AS lines
               FROM postings p LEFT JOIN accounts a ON a.id = p.account_id
               LEFT JOIN transfers k ON k.id = p.transfer_id
               WHERE p.transfer_id > p_after AND p.transfer_id <= p_upto
               GROUP BY p.transfer_id) l ON l.transfer_id = t.id
    WHERE t.id > p_after AND t.id <= p_upto
$$;

COMMENT ON FUNCTION ledger_hashes IS
'The hash of each transfer after one number and up to another. It covers all fields, the lines in order, and
the owners of their accounts. A hold moves from table to table, so the table of the transfer is hashed for
it. The hashed text is independent of session settings: it contains no date or number format that a session
could change.
Called by ledger_chain_add, ledger_check_chain.';
