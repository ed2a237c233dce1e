CREATE OR REPLACE FUNCTION ledger_check_rewards()
    RETURNS TABLE (problem text, subject text, detail text)
    LANGUAGE sql STABLE AS $$
    WITH paid AS (
        SELECT t.cause, t.key, a.player_id, sum(p.amount) AS gold
        FROM transfers t JOIN postings p ON p.transfer_id = t.id
        JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse' AND a.currency = 'gold'
        WHERE t.cause IN ('level', 'achievement', 'quest', 'league', 'month', 'invite')
        GROUP BY t.id, a.player_id
    ), levels AS (
        SELECT player_id, sum(gold) AS gold, max(substring(key FROM '[0-9]+$')::numeric) AS level
        FROM paid WHERE cause = 'level' GROUP BY player_id
    )
    SELECT 'level_reward_differs', 'player ' || g.player_id,
           'games brought ' || g.gold || ' gold for levels, transfers ' || coalesce(l.gold, 0)
    FROM (SELECT player_id, sum(level_gold) AS gold FROM game_players
          WHERE player_id IS NOT NULL GROUP BY player_id) g
    LEFT JOIN levels l ON l.player_id = g.player_id
    WHERE g.gold <> coalesce(l.gold, 0)
    UNION ALL
    SELECT 'level_reward_differs', 'player ' || l.player_id,
           'paid for level ' || l.level || ' on level ' || p.level
    FROM levels l JOIN players p ON p.id = l.player_id WHERE l.level > p.level
    UNION ALL
    SELECT 'achievement_differs', 'player ' || coalesce(e.player_id, t.player_id),
           coalesce(e.achievement_id, t.key) || ': earned ' || coalesce(e.gold || ' gold', 'never')
               || ', paid ' || coalesce(t.gold, 0)
    FROM player_achievements e
    FULL JOIN (SELECT * FROM paid WHERE cause = 'achievement') t
         ON t.key = 'achievement:' || e.player_id || ':' || e.achievement_id AND t.player_id = e.player_id
    WHERE e.player_id IS NULL OR e.gold <> coalesce(t.gold, 0)
    UNION ALL
    SELECT 'quest_differs', 'player ' || coalesce(d.player_id, t.player_id),
           coalesce(d.key, t.key) || ': done for ' || coalesce(d.gold || ' gold', 'nothing')
               || ', paid ' || coalesce(t.gold, 0)
    FROM (SELECT player_id, gold, quest_key(player_id, week, quest_id) AS key FROM quest_progress
          WHERE done_at IS NOT NULL) d
    FULL JOIN (SELECT * FROM paid WHERE cause = 'quest') t ON t.key = d.key AND t.player_id = d.player_id
    WHERE d.player_id IS NULL OR d.gold <> coalesce(t.gold, 0)
    UNION ALL
    -- Season results are kept for a few years only; a prize without a result may belong to an older season.
    SELECT 'prize_differs', 'season ' || coalesce(r.season_no::text, split_part(t.key, ':', 2)) || ' player '
               || coalesce(r.player_id, t.player_id),
           'won ' || coalesce(r.prize_gold, 0) || ' gold, paid ' || coalesce(t.gold, 0)
    FROM (SELECT * FROM season_results WHERE prize_gold <> 0) r
    FULL JOIN (SELECT * FROM paid WHERE cause = 'league') t
         ON t.player_id = r.player_id AND split_part(t.key, ':', 2) = r.season_no::text
    WHERE coalesce(r.prize_gold, 0) <> coalesce(t.gold, 0)
      AND (r.season_no IS NOT NULL
           OR split_part(t.key, ':', 2)::numeric >= (SELECT min(season_no) FROM season_results))
    UNION ALL
    SELECT 'prize_differs', 'month ' || coalesce(m.period, t.key) || ' player '
               || coalesce(m.player_id, t.player_id),
           'won ' || coalesce(m.gold, 0) || ' gold, paid ' || coalesce(t.gold, 0)
    FROM month_winners m
    FULL JOIN (SELECT * FROM paid WHERE cause = 'month') t
         ON t.key = 'month:' || m.period || ':' || m.variant || ':' || m.kind || ':' || m.place
            AND t.player_id = m.player_id
    WHERE coalesce(m.gold, 0) <> coalesce(t.gold, 0)
    UNION ALL
    SELECT 'invite_differs', 'player ' || t.player_id, t.key || ' was paid, and there is no such invitation'
    FROM paid t
    WHERE t.cause = 'invite' AND NOT EXISTS (
        SELECT 1 FROM invites i
        WHERE i.invited_id::text = split_part(t.key, ':', 2)
          AND CASE WHEN starts_with(t.key, 'invited:') THEN i.invited_id = t.player_id AND i.state <> 'open'
                   ELSE i.inviter_id = t.player_id AND i.state = 'paid' END)
    UNION ALL
    SELECT 'grant_differs', 'grant ' || coalesce(g.id::text, t.key),
           'granted ' || coalesce(g.amount, 0) || ', moved ' || coalesce(t.amount, 0)
    FROM (SELECT * FROM chip_grants WHERE state = 'done') g
    FULL JOIN (SELECT t.key, a.player_id, a.currency, sum(p.amount) AS amount
               FROM transfers t JOIN postings p ON p.transfer_id = t.id
               JOIN accounts a ON a.id = p.account_id AND a.kind = 'purse'
               WHERE t.cause = 'grant' AND t.key ~ '^operator:[0-9]+$' AND p.reason <> 'over_cap'
               GROUP BY t.id, a.player_id, a.currency) t
         ON t.key = 'operator:' || g.id AND (t.player_id, t.currency) = (g.player_id, g.currency)
    WHERE coalesce(g.amount, 0) <> coalesce(t.amount, 0)
$$;

COMMENT ON FUNCTION ledger_check_rewards IS
'Differences between gold earned (levels, achievements, quests, prizes, invitations) and gold paid for it;
and between chips that operators granted and chips that moved.
Called by q_ledger_check.';
