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
        CROSS JOIN LATERAL (VALUES
            (1, 'games', 1, 'add', true), (2, 'any_wins', 1, 'add', p.won),
            (3, 'wins', 1, 'add', p.won AND p.rated), (4, 'opened', 1, 'add', p.opened),
            (5, 'rummies', 1, 'add', p.rummy),
            (6, 'opened_51', 1, 'add', (p.facts->>'opening')::bigint = 51),
            (7, 'opened_100', 1, 'add', (p.facts->>'opening')::bigint >= 100),
            (8, 'buried', 1, 'add', (p.facts->>'buried')::boolean),
            (9, 'joker_out', 1, 'add', p.won AND (p.facts->>'joker_out')::boolean),
            (10, 'swaps', (p.facts->>'swaps')::bigint, 'add', (p.facts->>'swaps')::bigint > 0),
            (11, 'day_streak', p.days, 'reach', p.days > 0),
            (12, 'level', p.level, 'reach', p.levels_gained > 0),
            (13, 'wins_in_row', r.wins, 'set', p.rated),
            (14, 'win_streak', r.wins, 'reach', p.rated AND r.wins > 0)) AS x (at, counter, n, how, counts)
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
'Counts what people did in their games, one each, and notes what is earned by it, in the order of the players
and of the counters. Of days, levels and wins in a row what counts is the highest. The caller holds the
players'' locks, so that a counter is what it was read as.
Called by count_games.';
