CREATE OR REPLACE FUNCTION ledger_check_chain()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT 'chain_differs', 'transfer ' || coalesce(c.transfer_id, h.transfer_id),
           CASE WHEN h.hash IS NULL THEN 'in the chain, but deleted'
                WHEN c.hash IS NULL THEN 'missing in the chain, which continues after it'
                ELSE 'the chain has another hash: the transfer, its postings, or their accounts changed' END
    FROM (SELECT transfer_id, hash, lag(hash, 1, '') OVER (ORDER BY transfer_id) AS before
          FROM ledger_chain) c
    FULL JOIN ledger_hashes(0, (SELECT max(transfer_id) FROM ledger_chain)) h
        ON h.transfer_id = c.transfer_id
    WHERE c.hash IS NULL OR h.hash IS NULL OR c.hash <> sha256(c.before || h.hash)
    UNION ALL
    SELECT 'head_differs', 'head of ' || d.day,
           'transfer ' || d.transfer_id || CASE WHEN c.hash IS NULL THEN ' is not in the chain'
                                                ELSE ' has another hash in the chain' END
    FROM ledger_heads d LEFT JOIN ledger_chain c ON c.transfer_id = d.transfer_id
    WHERE c.hash IS DISTINCT FROM d.hash
    UNION ALL
    SELECT 'head_differs', 'end of the chain',
           'noted at transfer ' || coalesce(s.transfer_id::text, 'none') || ', found at '
               || coalesce(c.transfer_id::text, 'none')
    FROM (SELECT 1) one LEFT JOIN ledger_seal s ON true
    LEFT JOIN (SELECT transfer_id, hash FROM ledger_chain ORDER BY transfer_id DESC LIMIT 1) c ON true
    WHERE (s.transfer_id, s.hash) IS DISTINCT FROM (coalesce(c.transfer_id, 0), coalesce(c.hash, ''))
$$;

COMMENT ON FUNCTION ledger_check_chain IS
'Problems of the chain: a transfer that was changed with its lines so that all sums are still right, that
was removed, or that was inserted later. Only a published head (q_ledger_since) reveals an attacker who
recomputed the chain as well.
Called by q_ledger_check.';
