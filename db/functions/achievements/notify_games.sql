CREATE OR REPLACE FUNCTION notify_games(p_people settled_seat[], p_earned earned_achievement[],
                                        p_done done_quest[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF cardinality(p_earned) = 0 AND cardinality(p_done) = 0
       AND NOT EXISTS (SELECT FROM unnest(p_people) WHERE levels_gained > 0) THEN
        RETURN;
    END IF;
    INSERT INTO notifications (player_id, kind, data)
    SELECT o.player_id, o.kind, o.data
    FROM (SELECT s.player_id, 0 AS n, 'level' AS kind, jsonb_build_object(
                     'level', s.level, 'title', s.title, 'gold', s.level_gold,
                     'rooms', (SELECT coalesce(jsonb_agg(r.id ORDER BY r.position), '[]')
                               FROM rooms r JOIN titles t ON t.name = r.title
                               WHERE t.level_from > s.level - s.levels_gained
                                 AND t.level_from <= s.level)) AS data
          FROM unnest(p_people) s WHERE s.levels_gained > 0
          UNION ALL
          SELECT e.player_id, e.n, 'achievement',
                 jsonb_build_object('id', e.id, 'counter', e.counter, 'goal', e.goal, 'gold', e.gold)
          FROM unnest(p_earned) WITH ORDINALITY AS e (player_id, id, counter, goal, gold, n)
          UNION ALL
          SELECT d.player_id, 1000000 + d.n, 'quest',
                 quest_json(d.id, d.counter, d.variant, d.goal, d.gold)
          FROM unnest(p_done) WITH ORDINALITY
               AS d (player_id, week, id, counter, variant, goal, gold, n)) o
    ORDER BY o.player_id, o.n;
END $$;

COMMENT ON FUNCTION notify_games IS
'Notifies players of the levels a game brought, the rooms it unlocked, achievements, and completed quests.
Called by count_games.';
