CREATE OR REPLACE FUNCTION ledger_check_tables()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    -- A hold moves from table to table; its transfer names the table that a line was for.
    WITH lines AS MATERIALIZED (
        SELECT a.id AS account_id, a.player_id, a.currency, a.table_id AS at_table, p.id, p.amount,
               p.balance_after, k.table_id, k.cause
        FROM accounts a JOIN postings p ON p.account_id = a.id JOIN transfers k ON k.id = p.transfer_id
        WHERE a.kind = 'hold'
    ), held AS MATERIALIZED (
        SELECT table_id, player_id, currency, sum(amount) AS rest,
               coalesce(sum(amount) FILTER (WHERE cause <> 'settle'), 0) AS staked
        FROM lines GROUP BY table_id, player_id, currency
    )
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
    WHERE s.player_id IS NOT NULL
      AND s.stake_silver + s.stake_gold <> CASE WHEN t.practice THEN 0 ELSE t.stake END
    UNION ALL
    SELECT 'seat_live_differs', 'table ' || t.id || ' seat ' || s.seat, 'table is ' || t.state
    FROM seats s JOIN tables t ON t.id = s.table_id
    WHERE s.live <> (t.state IN ('waiting', 'playing', 'lost'))
    UNION ALL
    SELECT 'refunded_and_settled', 'table ' || s.table_id || ' seat ' || s.seat, r.key || ' and ' || k.key
    FROM transfers k JOIN seats s ON s.table_id = k.table_id
    JOIN transfers r ON r.key = 'refund:table:' || s.table_id || ':take:' || s.take
    WHERE k.cause = 'settle'
    UNION ALL
    SELECT 'settled_unfinished', 'table ' || k.table_id, k.key || ', and the table is ' || t.state
    FROM transfers k JOIN tables t ON t.id = k.table_id
    WHERE k.cause = 'settle'
      AND (t.state <> 'finished' OR NOT EXISTS (SELECT 1 FROM games g WHERE g.table_id = t.id))
    UNION ALL
    -- Chips that went into a hold and came back without a game are the seat's stake, or nothing.
    SELECT 'stake_differs', 'table ' || coalesce(s.table_id, h.table_id) || ' player '
               || coalesce(s.player_id, h.player_id),
           'stake ' || coalesce(s.stake, 0) || ' ' || coalesce(s.currency, h.currency)
               || ', transfers give ' || coalesce(h.staked, 0)
    FROM (SELECT e.table_id, e.player_id, x.currency, x.stake
          FROM seats e JOIN tables t ON t.id = e.table_id AND t.state <> 'cancelled'
          CROSS JOIN LATERAL (VALUES ('silver', e.stake_silver), ('gold', e.stake_gold))
              AS x (currency, stake)
          WHERE e.player_id IS NOT NULL AND x.stake > 0) s
    FULL JOIN (SELECT * FROM held WHERE staked <> 0) h
         ON (h.table_id, h.player_id, h.currency) = (s.table_id, s.player_id, s.currency)
    WHERE s.stake IS DISTINCT FROM h.staked
    UNION ALL
    SELECT 'hold_differs', 'table ' || coalesce(h.table_id::text, 'none') || ' player ' || h.player_id,
           'transfers leave ' || h.rest || ' ' || h.currency || ', held ' || coalesce(a.balance, 0)
    FROM held h LEFT JOIN accounts a ON a.kind = 'hold' AND a.player_id = h.player_id
                                    AND a.table_id = h.table_id AND a.currency = h.currency
    WHERE h.rest <> coalesce(a.balance, 0)
    UNION ALL
    -- A hold moves while it is empty, and with a line for its new table.
    SELECT 'hold_moved', 'account ' || l.account_id,
           format('posting %s is for table %s and leaves %s; then it is for table %s', l.id,
                  coalesce(l.table_id::text, 'none'), l.balance_after, coalesce(l.next_table::text, 'none'))
    FROM (SELECT *, lead(table_id, 1, at_table) OVER its AS next_table, lead(id) OVER its IS NULL AS is_last
          FROM lines WINDOW its AS (PARTITION BY account_id ORDER BY id)) l
    WHERE l.next_table IS DISTINCT FROM l.table_id AND (l.is_last OR l.balance_after <> 0)
$$;

COMMENT ON FUNCTION ledger_check_tables IS
'Differences between tables and the chips held at them: a stake without a seat or a seat without its stake, a
stake that was both refunded and settled; a table whose transfers leave a different amount than it holds
(nothing once it is over); a hold that moved to another table with chips in it.
Called by q_ledger_check.';
