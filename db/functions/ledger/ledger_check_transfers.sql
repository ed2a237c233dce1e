CREATE OR REPLACE FUNCTION ledger_check_transfers()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT w.problem, 'transfer ' || x.id, w.detail
    FROM (SELECT l.*, l.silver <> 0 OR l.gold <> 0 AS unbalanced,
                 l.strange_line OR l.player <> l.other AND l.cause NOT IN ('settle', 'grant') AS strange,
                 l.lines > 0 AND NOT ledger_key_fits(l.cause, l.key, l.player, l.table_id) AS misnamed,
                 -- A machine's clock that was wrong for a while is not corruption, so a month is tolerated.
                 NOT isfinite(l.at) OR l.at > now() + interval '31 days'
                     OR l.at < greatest(y.created_at, b.created_at) - interval '31 days' AS mistimed
          FROM (SELECT t.id, t.cause, t.key, t.table_id, t.at, count(p.id) AS lines,
                       coalesce(sum(p.amount) FILTER (WHERE a.currency = 'silver'), 0) AS silver,
                       coalesce(sum(p.amount) FILTER (WHERE a.currency = 'gold'), 0) AS gold,
                       min(a.player_id) AS player, max(a.player_id) AS other,
                       bool_or(ledger_line_impossible(t.cause, a.kind, a.cause, p.amount)) AS strange_line
                FROM transfers t LEFT JOIN postings p ON p.transfer_id = t.id
                LEFT JOIN accounts a ON a.id = p.account_id
                GROUP BY t.id) l
          LEFT JOIN players y ON y.id = l.player LEFT JOIN tables b ON b.id = l.table_id) x
    CROSS JOIN LATERAL (VALUES
        ('transfer_without_postings', x.lines = 0, x.key),
        ('unbalanced_transfer', x.unbalanced, 'sum ' || x.silver || ' silver, ' || x.gold || ' gold'),
        ('strange_lines', x.strange, x.key), ('key_wrong', x.misnamed, x.key),
        ('time_wrong', x.mistimed, x.key || ' at ' || x.at)) w (problem, wrong, detail)
    -- Check for existence first, because scanning a list for each transfer is slow.
    WHERE (x.lines = 0 OR x.unbalanced OR x.strange OR x.misnamed OR x.mistimed) AND w.wrong
    UNION ALL
    SELECT 'double_cause', 'key ' || t.key, count(*) || ' transfers'
    FROM transfers t GROUP BY t.key HAVING count(*) > 1
    UNION ALL
    SELECT 'double_cause', 'table ' || t.table_id, 'settled ' || count(*) || ' times'
    FROM transfers t WHERE t.cause = 'settle' GROUP BY t.table_id HAVING count(*) > 1
    UNION ALL
    SELECT 'posting_without_transfer', 'posting ' || p.id, 'transfer ' || p.transfer_id
    FROM postings p WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = p.transfer_id)
$$;

COMMENT ON FUNCTION ledger_check_transfers IS
'Problems within transfers: sums, lines that their cause never has, keys that do not identify the event,
impossible times.
Called by q_ledger_check.';
