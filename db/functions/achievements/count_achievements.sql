CREATE OR REPLACE FUNCTION count_achievements(p_people settled_seat[]) RETURNS earned_achievement[]
    LANGUAGE plpgsql
    SET enable_hashjoin = on AS $$
DECLARE
    v_earned earned_achievement[];
BEGIN
    WITH person AS MATERIALIZED (
        SELECT s.*, (SELECT d.streak FROM player_days d WHERE d.player_id = s.player_id) AS days,
               (SELECT c.n FROM player_counters c
                WHERE c.player_id = s.player_id AND c.counter = 'wins_in_row') AS row_before,
               ARRAY(SELECT achievement_id FROM player_achievements e WHERE e.player_id = s.player_id) AS has
        FROM unnest(p_people) s
    ), done AS MATERIALIZED (
        SELECT p.player_id, p.has, x.at, x.counter, x.n, x.how,
               (SELECT c.n FROM player_counters c
                WHERE c.player_id = p.player_id AND c.counter = x.counter) AS before
        FROM person p
        JOIN (SELECT e.player_id, e.at, e.counter, e.n, 'add' AS how FROM count_events(p_people) e
              WHERE e.counter <> 'opened_pure' -- only quests count it
              UNION ALL -- after those
              SELECT s.player_id, 100 + o.at, o.counter, o.n, o.how FROM person s
              CROSS JOIN LATERAL (SELECT CASE WHEN s.won THEN coalesce(s.row_before, 0) + 1 ELSE 0 END
                                         AS wins) r
              CROSS JOIN LATERAL unnest(
                  '{day_streak,level,wins_in_row,win_streak}'::text[], '{reach,reach,set,reach}'::text[],
                  ARRAY[s.days > 0, s.levels_gained > 0, s.rated, s.rated AND r.wins > 0],
                  ARRAY[s.days, s.level, r.wins, r.wins])
                  WITH ORDINALITY AS o (counter, how, counts, n, at)
              WHERE o.counts) x USING (player_id)
    ), counted AS MATERIALIZED (
        SELECT d.*, CASE how WHEN 'add' THEN coalesce(before, 0) + n
                             WHEN 'reach' THEN greatest(before, n) ELSE n END AS after
        FROM done d
    ), written AS (
        INSERT INTO player_counters (player_id, counter, n)
        SELECT player_id, counter, after FROM counted WHERE after IS DISTINCT FROM before
        ON CONFLICT (player_id, counter) DO UPDATE SET n = excluded.n
    ), goal AS MATERIALIZED (
        SELECT id, position, counter, goal, gold FROM achievements
    ), earned AS MATERIALIZED (
        SELECT c.player_id, c.at, a.position, a.id, a.counter, a.goal, a.gold
        FROM counted c JOIN goal a ON a.counter = c.counter
        WHERE a.goal <= c.after AND c.how <> 'set' AND a.id <> ALL (c.has)
    ), noted AS (
        INSERT INTO player_achievements (player_id, achievement_id, gold)
        SELECT player_id, id, gold FROM earned ORDER BY player_id, at, position
    )
    SELECT array_agg(ROW(player_id, id, counter, goal, gold)::earned_achievement
                     ORDER BY player_id, at, position)
    INTO v_earned FROM earned;
    RETURN coalesce(v_earned, '{}');
END $$;

COMMENT ON FUNCTION count_achievements IS
'Counts players'' actions in their games, one game per player, and records the achievements earned, in the
order of the players and of the counters. For days, levels, and consecutive wins the highest value counts. The
caller holds the players'' locks, so that counters do not change after they are read.
Called by count_games.';
