CREATE OR REPLACE FUNCTION ledger_check_tournaments()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT 'pot_differs', 'tournament ' || t.id || ' ' || c.currency,
           format('entries that may come back are %s, the pot holds %s', coalesce(e.paid, 0),
                  coalesce(a.balance, 0))
    FROM tournaments t CROSS JOIN (VALUES ('silver'), ('gold')) c (currency)
    LEFT JOIN accounts a ON a.kind = 'pot' AND a.tournament_id = t.id AND a.currency = c.currency
    LEFT JOIN LATERAL (SELECT sum(CASE c.currency WHEN 'silver' THEN paid_silver ELSE paid_gold END) AS paid
                       FROM tournament_entries WHERE tournament_id = t.id AND live) e ON true
    WHERE coalesce(e.paid, 0) <> coalesce(a.balance, 0)
    UNION ALL
    SELECT 'pot_of_ended', 'tournament ' || t.id, 'an entry of it is live'
    FROM tournaments t
    WHERE t.state IN ('ended', 'cancelled')
      AND EXISTS (SELECT 1 FROM tournament_entries e WHERE e.tournament_id = t.id AND e.live
                                                         AND e.player_id IS NOT NULL)
    UNION ALL
    -- Payments and winnings of an entry are only in the transfers that name it.
    SELECT 'entry_differs', 'tournament ' || coalesce(n.tournament_id, p.tournament_id) || ' player '
               || coalesce(n.player_id, p.player_id),
           format('the entry says paid %s %s, won %s %s; postings say %s %s, %s %s', n.paid_silver,
                  n.paid_gold, n.prize_silver, n.prize_gold, p.paid_silver, p.paid_gold, p.prize_silver,
                  p.prize_gold)
    FROM (SELECT e.tournament_id, e.player_id,
                 CASE WHEN t.state = 'cancelled' OR t.state = 'cancelling' AND NOT e.live THEN 0
                      ELSE e.paid_silver END AS paid_silver,
                 CASE WHEN t.state = 'cancelled' OR t.state = 'cancelling' AND NOT e.live THEN 0
                      ELSE e.paid_gold END AS paid_gold, e.prize_silver, e.prize_gold
          FROM tournament_entries e JOIN tournaments t ON t.id = e.tournament_id
          WHERE e.player_id IS NOT NULL) n
    FULL JOIN (SELECT split_part(k.key, ':', 2)::bigint AS tournament_id, a.player_id,
                      coalesce(-sum(o.amount) FILTER (WHERE NOT x.won AND x.silver), 0) AS paid_silver,
                      coalesce(-sum(o.amount) FILTER (WHERE NOT x.won AND NOT x.silver), 0) AS paid_gold,
                      coalesce(sum(o.amount) FILTER (WHERE x.won AND x.silver), 0) AS prize_silver,
                      coalesce(sum(o.amount) FILTER (WHERE x.won AND NOT x.silver), 0) AS prize_gold
               FROM transfers k JOIN postings o ON o.transfer_id = k.id
               JOIN accounts a ON a.id = o.account_id AND a.kind = 'purse'
               CROSS JOIN LATERAL (SELECT o.reason = 'prize' AS won, a.currency = 'silver' AS silver) x
               WHERE o.reason <> 'over_cap' AND k.cause IN ('entry', 'entry_back', 'prize')
               GROUP BY split_part(k.key, ':', 2), a.player_id) p
         ON (p.tournament_id, p.player_id) = (n.tournament_id, n.player_id)
    WHERE (n.paid_silver, n.paid_gold, n.prize_silver, n.prize_gold) IS DISTINCT FROM
          (coalesce(p.paid_silver, 0), coalesce(p.paid_gold, 0), coalesce(p.prize_silver, 0),
           coalesce(p.prize_gold, 0))
      AND (n.player_id IS NOT NULL
           OR (p.paid_silver, p.paid_gold, p.prize_silver, p.prize_gold) <> (0, 0, 0, 0))
$$;

COMMENT ON FUNCTION ledger_check_tournaments IS
'Differences between tournaments and their pots: a pot contains what its live entries have paid, and nothing
once the tournament is over; each entry has paid and won the amounts in its transfers.
Called by q_ledger_check.';
