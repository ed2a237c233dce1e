CREATE OR REPLACE FUNCTION ledger_check_results()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    WITH posted AS (
        SELECT k.table_id, a.player_id,
               coalesce(sum(p.amount) FILTER (WHERE a.currency = 'silver'), 0) AS silver,
               coalesce(sum(p.amount) FILTER (WHERE a.currency = 'gold'), 0) AS gold,
               coalesce(-sum(p.amount) FILTER (WHERE p.reason = 'over_cap'), 0) AS lost,
               coalesce(sum(p.amount) FILTER (WHERE p.reason IN ('reward', 'pot')), 0) AS won
        FROM transfers k JOIN postings p ON p.transfer_id = k.id
        JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse'
        WHERE k.cause = 'settle' GROUP BY k.table_id, a.player_id
    ), noted AS (
        SELECT g.table_id, r.player_id, r.silver + s.stake_silver AS silver, r.gold + s.stake_gold AS gold,
               r.silver_lost AS lost, r.won,
               CASE WHEN NOT r.won THEN 0
                    WHEN t.room_id IS NOT NULL AND NOT t.practice
                    THEN CASE WHEN r.took_part AND NOT r.same_people THEN t.reward ELSE 0 END END AS due
        FROM games g JOIN game_players r ON r.game_id = g.id AND r.player_id IS NOT NULL
        JOIN tables t ON t.id = g.table_id AND t.state = 'finished'
        LEFT JOIN seats s ON s.table_id = g.table_id AND s.seat = r.seat AND s.player_id = r.player_id
    )
    SELECT 'result_differs', 'table ' || coalesce(n.table_id, p.table_id) || ' player '
               || coalesce(n.player_id, p.player_id),
           format('the result says %s silver, %s gold, %s lost; postings say %s, %s, %s', n.silver, n.gold,
                  n.lost, p.silver, p.gold, p.lost)
    FROM noted n FULL JOIN posted p ON (p.table_id, p.player_id) = (n.table_id, n.player_id)
    WHERE (n.silver, n.gold, n.lost) IS DISTINCT FROM
          (coalesce(p.silver, 0), coalesce(p.gold, 0), coalesce(p.lost, 0))
    UNION ALL
    SELECT 'result_differs', 'game ' || r.game_id || ' seat ' || r.seat, 'a bot has chips or Clover points'
    FROM game_players r
    WHERE r.player_id IS NULL AND (r.silver, r.gold, r.silver_lost, r.level_gold, r.clover) <> (0, 0, 0, 0, 0)
    UNION ALL
    SELECT 'table_unsettled', 'table ' || t.id, 'finished, with stakes, and nothing is settled'
    FROM tables t
    WHERE t.state = 'finished' AND NOT t.practice
      AND EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.stake_silver + s.stake_gold > 0)
      AND NOT EXISTS (SELECT 1 FROM transfers k WHERE k.table_id = t.id AND k.cause = 'settle')
    UNION ALL
    -- A winner gets a reward if they took part and did not meet the same players too often that day. A
    -- room's table names its reward. The results above cover winnings from a pot.
    SELECT 'winner_differs', 'table ' || n.table_id || ' player ' || n.player_id,
           CASE WHEN n.won THEN 'won' ELSE 'did not win' END || ', and was paid ' || coalesce(p.won, 0)
    FROM noted n LEFT JOIN posted p ON (p.table_id, p.player_id) = (n.table_id, n.player_id)
    WHERE n.due <> coalesce(p.won, 0)
$$;

COMMENT ON FUNCTION ledger_check_results IS
'Differences between the results of games and their settlements'' postings.
Called by q_ledger_check.';
