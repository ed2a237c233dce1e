CREATE OR REPLACE FUNCTION q_ledger_check()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE
    SET search_path = public, pg_temp AS $$
    SELECT 'unbalanced_transfer', 'transfer ' || p.transfer_id, 'sum ' || sum(p.amount) || ' ' || a.currency
    FROM postings p JOIN accounts a ON a.id = p.account_id
    GROUP BY p.transfer_id, a.currency HAVING sum(p.amount) <> 0
    UNION ALL
    SELECT 'transfer_without_postings', 'transfer ' || t.id, t.key
    FROM transfers t WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.transfer_id = t.id)
    UNION ALL
    SELECT 'balance_differs', 'account ' || a.id,
           'stored ' || a.balance || ', postings ' || coalesce(s.total, 0)
    FROM accounts a LEFT JOIN (SELECT account_id, sum(amount) AS total FROM postings GROUP BY account_id) s
         ON s.account_id = a.id
    WHERE a.kind <> 'house' AND a.balance <> coalesce(s.total, 0)
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
    SELECT 'hold_without_live_table', 'account ' || a.id,
           'table ' || a.table_id || ' holds ' || a.balance || ' ' || a.currency
    FROM accounts a JOIN tables t ON t.id = a.table_id
    WHERE a.kind = 'hold' AND a.balance <> 0 AND (t.state NOT IN ('waiting', 'playing', 'lost')
          OR NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = a.table_id AND s.player_id = a.player_id))
    UNION ALL
    SELECT 'seat_without_hold', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || x.stake || ' ' || x.currency || ', held ' || coalesce(a.balance, 0)
    FROM seats s JOIN tables t ON t.id = s.table_id
    CROSS JOIN LATERAL (VALUES ('silver', s.stake_silver), ('gold', s.stake_gold)) AS x (currency, stake)
    LEFT JOIN accounts a ON a.kind = 'hold' AND a.table_id = s.table_id AND a.player_id = s.player_id
                         AND a.currency = x.currency
    WHERE t.state IN ('waiting', 'playing', 'lost') AND s.player_id IS NOT NULL
      AND x.stake <> coalesce(a.balance, 0)
    UNION ALL
    SELECT 'seat_stake_differs', 'table ' || s.table_id || ' seat ' || s.seat,
           'stake ' || s.stake_silver + s.stake_gold || ', of the table ' || t.stake
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE t.state IN ('waiting', 'playing', 'lost') AND s.player_id IS NOT NULL
      AND s.stake_silver + s.stake_gold <> CASE WHEN t.practice THEN 0 ELSE t.stake END
    UNION ALL
    SELECT 'seat_live_differs', 'table ' || t.id || ' seat ' || s.seat, 'table is ' || t.state
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE s.live <> (t.state IN ('waiting', 'playing', 'lost'))
    UNION ALL
    SELECT 'player_without_purse', 'player ' || p.id, c.currency
    FROM players p CROSS JOIN (VALUES ('silver'), ('gold')) AS c (currency)
    WHERE NOT EXISTS (SELECT 1 FROM accounts a
                      WHERE a.kind = 'purse' AND a.player_id = p.id AND a.currency = c.currency)
    UNION ALL
    SELECT 'double_cause', 'key ' || t.key, count(*) || ' transfers'
    FROM transfers t GROUP BY t.key HAVING count(*) > 1
    UNION ALL
    SELECT 'double_cause', 'table ' || t.table_id, 'settled ' || count(*) || ' times'
    FROM transfers t WHERE t.cause = 'settle' GROUP BY t.table_id HAVING count(*) > 1
    UNION ALL
    SELECT 'posting_without_transfer', 'posting ' || p.id, 'transfer ' || p.transfer_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = p.transfer_id)
    UNION ALL
    SELECT 'posting_without_account', 'posting ' || p.id, 'account ' || p.account_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.account_id)
    ORDER BY 1, 2
$$;

COMMENT ON FUNCTION q_ledger_check IS
'The proof of the books for the whole database: a row for each problem, none when all is well. It looks for
what keys and triggers make impossible, too: somebody may have taken them away for a while.
Called by db.';
