CREATE OR REPLACE FUNCTION ledger_check_accounts()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT 'balance_differs', 'account ' || a.id,
           'stored ' || a.balance || ', postings ' || coalesce(s.total, 0)
    FROM accounts a LEFT JOIN (SELECT account_id, sum(amount) AS total FROM postings GROUP BY account_id) s
         ON s.account_id = a.id
    WHERE a.kind <> 'house' AND a.balance IS DISTINCT FROM coalesce(s.total, 0)
    UNION ALL
    SELECT 'balance_after_differs', 'posting ' || p.id,
           'stored ' || coalesce(p.balance_after::text, 'none') || ', sum ' || p.total
    FROM (SELECT q.id, q.balance_after, sum(q.amount) OVER (PARTITION BY q.account_id ORDER BY q.id) AS total
          FROM postings q JOIN accounts b ON b.id = q.account_id WHERE b.kind <> 'house') p
    WHERE p.balance_after IS DISTINCT FROM p.total
    UNION ALL
    SELECT 'negative_balance', 'account ' || a.id, a.balance::text
    FROM accounts a WHERE a.balance < 0
    UNION ALL
    SELECT 'house_balance', 'account ' || a.id, 'stored ' || a.balance || ', a house account stores none'
    FROM accounts a WHERE a.kind = 'house' AND a.balance IS NOT NULL
    UNION ALL
    SELECT 'house_balance', 'posting ' || p.id,
           'stored ' || p.balance_after || ', a house account stores none'
    FROM postings p JOIN accounts a ON a.id = p.account_id AND a.kind = 'house'
    WHERE p.balance_after IS NOT NULL
    UNION ALL
    SELECT 'double_account', 'account ' || max(a.id),
           count(*) || ' of one ' || a.kind || ' of ' || coalesce('player ' || a.player_id,
               'tournament ' || a.tournament_id, a.cause)
               || coalesce(' at table ' || a.table_id, '') || ' in ' || a.currency
    FROM accounts a GROUP BY a.kind, a.currency, a.player_id, a.table_id, a.tournament_id, a.cause
    HAVING count(*) > 1
    UNION ALL
    SELECT 'player_without_purse', 'player ' || p.id, c.currency
    FROM players p CROSS JOIN (VALUES ('silver'), ('gold')) AS c (currency)
    WHERE NOT EXISTS (SELECT 1 FROM accounts a
                      WHERE a.kind = 'purse' AND a.player_id = p.id AND a.currency = c.currency)
    UNION ALL
    SELECT 'silver_over_cap', 'player ' || p.id, 'owns ' || s.silver || ' at a cap of ' || l.silver_cap
    FROM (SELECT player_id, sum(balance) AS silver FROM accounts
          WHERE kind <> 'house' AND currency = 'silver' GROUP BY player_id) s
    JOIN players p ON p.id = s.player_id JOIN levels l ON l.level = p.level
    WHERE s.silver > l.silver_cap
    UNION ALL
    SELECT 'posting_without_account', 'posting ' || p.id, 'account ' || p.account_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.account_id)
    UNION ALL
    SELECT 'number_ahead', n.what || ' ' || n.last, 'the last one given out is ' || n.given
    FROM (SELECT 'posting', (SELECT max(id) FROM postings), (SELECT last_value FROM postings_id)
          UNION ALL
          SELECT 'transfer', (SELECT max(id) FROM transfers), (SELECT last_value FROM transfers_id_seq)
          UNION ALL
          SELECT 'account', (SELECT max(id) FROM accounts), (SELECT last_value FROM accounts_id_seq))
         n (what, last, given)
    WHERE n.last > n.given
$$;

COMMENT ON FUNCTION ledger_check_accounts IS
'Problems of accounts and their lines: balances that do not follow from the postings, duplicate accounts,
silver over its cap, numbers that no sequence has assigned yet.
Called by q_ledger_check.';
