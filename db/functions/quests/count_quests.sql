CREATE OR REPLACE FUNCTION count_quests(p_people settled_seat[]) RETURNS done_quest[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_week date := quest_week(now());
    v_done done_quest[];
BEGIN
    WITH quest AS MATERIALIZED (
        SELECT * FROM quests_of(v_week)
    ), counted AS MATERIALIZED (
        SELECT e.player_id, q.slot, q.id, q.counter, q.variant, q.goal, q.gold,
               least(q.goal, coalesce(w.n, 0) + e.n) AS n
        FROM count_events(p_people) e
        JOIN quest q ON q.counter = e.counter AND (q.variant IS NULL OR q.variant = e.variant)
        LEFT JOIN quest_progress w ON w.player_id = e.player_id AND w.week = v_week AND w.quest_id = q.id
        WHERE w.done_at IS NULL
    ), written AS (
        INSERT INTO quest_progress (player_id, week, quest_id, n, gold, done_at)
        SELECT player_id, v_week, id, n, CASE WHEN n = goal THEN gold ELSE 0 END,
               CASE WHEN n = goal THEN now() END
        FROM counted
        ON CONFLICT (player_id, week, quest_id) DO UPDATE
        SET n = excluded.n, gold = excluded.gold, done_at = excluded.done_at
    )
    SELECT array_agg(ROW(player_id, v_week, id, counter, variant, goal, gold)::done_quest
                     ORDER BY player_id, slot)
    INTO v_done FROM counted WHERE n = goal;
    RETURN coalesce(v_done, '{}');
END $$;

COMMENT ON FUNCTION count_quests IS
'Counts players'' actions in their games, one game per player, towards the quests of this week, and records
completed ones, in the order of the players and of the slots. The caller holds the players'' locks, so that
counts do not change after they are read.
Called by count_games.';
