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
        CROSS JOIN LATERAL (SELECT CASE WHEN p.won THEN coalesce(p.row_before, 0) + 1 ELSE 0 END AS wins) r
        CROSS JOIN LATERAL (SELECT (p.facts->>'opening')::bigint AS opening,
                                   (p.facts->>'swaps')::bigint AS swaps OFFSET 0) f
        -- Not VALUES: PostgreSQL would initialize the expressions of each of its rows again for each player.
        CROSS JOIN LATERAL unnest(
            '{games,any_wins,wins,opened,rummies,opened_51,opened_100,buried,joker_out,
              swaps,day_streak,level,wins_in_row,win_streak}'::text[],
            '{add,add,add,add,add,add,add,add,add,add,reach,reach,set,reach}'::text[],
            ARRAY[true, p.won, p.won AND p.rated, p.opened, p.rummy, f.opening = 51, f.opening >= 100,
                  (p.facts->>'buried')::boolean, p.won AND (p.facts->>'joker_out')::boolean,
                  f.swaps > 0, p.days > 0, p.levels_gained > 0, p.rated, p.rated AND r.wins > 0],
            ARRAY[1, 1, 1, 1, 1, 1, 1, 1, 1, f.swaps, p.days, p.level, r.wins, r.wins])
            WITH ORDINALITY AS x (counter, how, counts, n, at)
        WHERE x.counts
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
