CREATE OR REPLACE FUNCTION settle_post(p_seats settled_seat[], p_chips settled_chips[],
                                       p_earned earned_achievement[], p_done done_quest[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_lines ledger_line[];
BEGIN
    WITH house AS MATERIALIZED (
        SELECT max(id) FILTER (WHERE (cause, currency) = ('level', 'gold')) AS level,
               max(id) FILTER (WHERE (cause, currency) = ('achievement', 'gold')) AS achievement,
               max(id) FILTER (WHERE (cause, currency) = ('quest', 'gold')) AS quest,
               max(id) FILTER (WHERE (cause, currency) = ('stake', 'silver')) AS stake_s,
               max(id) FILTER (WHERE (cause, currency) = ('stake', 'gold')) AS stake_g,
               max(id) FILTER (WHERE (cause, currency) = ('reward', 'silver')) AS reward_s,
               max(id) FILTER (WHERE (cause, currency) = ('reward', 'gold')) AS reward_g,
               max(id) FILTER (WHERE (cause, currency) = ('over_cap', 'silver')) AS over_cap
        FROM accounts
        WHERE kind = 'house' AND cause IN ('level', 'achievement', 'quest', 'stake', 'reward', 'over_cap')
    ), seated AS MATERIALIZED (
        SELECT s.*, (SELECT a.id FROM accounts a WHERE a.kind = 'purse'
                       AND a.player_id = s.player_id AND a.currency = 'silver') AS purse_s,
               (SELECT a.id FROM accounts a WHERE a.kind = 'purse'
                  AND a.player_id = s.player_id AND a.currency = 'gold') AS purse_g,
               CASE WHEN s.pot THEN 'pot' ELSE 'reward' END AS gain,
               (SELECT a.id FROM accounts a WHERE a.kind = 'hold' AND a.table_id = s.table_id
                  AND a.player_id = s.player_id AND a.currency = 'silver' AND s.stake_silver > 0) AS hold_s,
               (SELECT a.id FROM accounts a WHERE a.kind = 'hold' AND a.table_id = s.table_id
                  AND a.player_id = s.player_id AND a.currency = 'gold' AND s.stake_gold > 0) AS hold_g
        FROM ROWS FROM (unnest(p_seats), unnest(p_chips)) WITH ORDINALITY s
        WHERE s.player_id IS NOT NULL AND NOT s.practice
    ), line AS (
        SELECT 1 AS part, s.player_id AS n1, l.level AS n2, x.n AS n3, 'level' AS cause,
               'level:' || s.player_id || ':' || l.level AS key, NULL::bigint AS table_id, x.account,
               x.amount, 'level' AS reason
        FROM seated s CROSS JOIN house h
        JOIN levels l ON l.level > s.level - s.levels_gained AND l.level <= s.level AND l.reward_gold > 0
        CROSS JOIN LATERAL (VALUES (1, h.level, -l.reward_gold), (2, s.purse_g, l.reward_gold))
                           AS x (n, account, amount)
        WHERE s.levels_gained > 0
          AND (SELECT t.id FROM transfers t WHERE t.key = 'level:' || s.player_id || ':' || l.level) IS NULL
        UNION ALL
        SELECT 2, s.ordinality, 0, x.n, 'settle', 'settle:table:' || s.table_id, s.table_id, x.account,
               x.amount, x.reason
        FROM seated s CROSS JOIN house h
        -- Not VALUES, because PostgreSQL would initialize the expressions of every row again for each seat.
        CROSS JOIN LATERAL unnest(
            ARRAY[s.hold_s, s.purse_s, h.stake_s, s.hold_g, s.purse_g, h.stake_g,
                  h.reward_s, s.purse_s, s.purse_s, h.over_cap, h.reward_g, s.purse_g],
            ARRAY[-s.stake_silver, s.stake_silver - s.silver, CASE WHEN pot THEN 0 ELSE s.silver END,
                  -s.stake_gold, s.stake_gold - s.gold, CASE WHEN pot THEN 0 ELSE s.gold END,
                  CASE WHEN pot THEN 0 ELSE -s.gain_silver END, s.gain_silver, -s.lost, s.lost,
                  CASE WHEN pot THEN 0 ELSE -s.gain_gold END, s.gain_gold],
            ARRAY['stake', 'stake_back', 'stake_lost', 'stake', 'stake_back', 'stake_lost',
                  s.gain, s.gain, 'over_cap', 'over_cap', s.gain, s.gain])
            WITH ORDINALITY AS x (account, amount, reason, n)
        WHERE x.amount <> 0
        UNION ALL
        SELECT 3, e.n, 0, x.n, 'achievement', 'achievement:' || e.player_id || ':' || e.id, NULL, x.account,
               x.amount, 'achievement'
        FROM unnest(p_earned) WITH ORDINALITY AS e (player_id, id, counter, goal, gold, n) CROSS JOIN house h
        CROSS JOIN LATERAL (VALUES (1, h.achievement, -e.gold),
                                   (2, account_purse(e.player_id, 'gold'), e.gold)) AS x (n, account, amount)
        WHERE e.gold > 0
          AND (SELECT t.id FROM transfers t
               WHERE t.key = 'achievement:' || e.player_id || ':' || e.id) IS NULL
        UNION ALL
        SELECT 4, d.n, 0, x.n, 'quest', quest_key(d.player_id, d.week, d.id), NULL, x.account, x.amount,
               'quest'
        FROM unnest(p_done) WITH ORDINALITY AS d (player_id, week, id, counter, variant, goal, gold, n)
        CROSS JOIN house h
        CROSS JOIN LATERAL (VALUES (1, h.quest, -d.gold),
                                   (2, account_purse(d.player_id, 'gold'), d.gold)) AS x (n, account, amount)
        WHERE d.gold > 0
    )
    SELECT array_agg(ROW(cause, key, table_id, account, amount, reason)::ledger_line
                     ORDER BY part, n1, n2, n3)
    INTO v_lines FROM line;
    IF v_lines IS NOT NULL THEN
        PERFORM ledger_post_lines(v_lines);
    END IF;
END $$;

COMMENT ON FUNCTION settle_post IS
'Posts players'' payments and gains of games: the gold of levels, then what the seats pay and gain, then the
gold of achievements and of quests. A level or achievement that was paid before is not paid again.
Key of each transfer: `level:<player>:<level>`, `settle:table:<table>`, `achievement:<player>:<id>`,
`quest:<player>:<week>:<id>`.
Raises if a table was settled before.
Called by do_settle_batch.';
