CREATE OR REPLACE FUNCTION add_to_counters(p_player bigint, p_counters text[], p_ns bigint[],
                                           p_reached text[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_achievement achievements;
BEGIN
    INSERT INTO player_counters AS c (player_id, counter, n)
    SELECT p_player, u.counter, u.n FROM unnest(p_counters, p_ns) u (counter, n)
    ON CONFLICT (player_id, counter) DO UPDATE
    SET n = CASE WHEN c.counter = ANY (p_reached) THEN greatest(c.n, excluded.n) ELSE c.n + excluded.n END;
    FOR v_achievement IN
        SELECT a.* FROM unnest(p_counters) WITH ORDINALITY u (counter, at)
        JOIN player_counters c ON c.player_id = p_player AND c.counter = u.counter
        JOIN achievements a ON a.counter = u.counter AND a.goal <= c.n
        WHERE NOT EXISTS (SELECT 1 FROM player_achievements e
                          WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY u.at, a.position LOOP
        INSERT INTO player_achievements (player_id, achievement_id, gold)
        VALUES (p_player, v_achievement.id, v_achievement.gold);
        IF v_achievement.gold > 0 THEN
            PERFORM ledger_post('achievement', 'achievement:' || p_player || ':' || v_achievement.id, NULL,
                                '', credit_legs(p_player, 'gold', v_achievement.gold, 'achievement'));
        END IF;
        PERFORM notify_player(p_player, 'achievement', jsonb_build_object(
            'id', v_achievement.id, 'counter', v_achievement.counter, 'goal', v_achievement.goal,
            'gold', v_achievement.gold));
    END LOOP;
END $$;

COMMENT ON FUNCTION add_to_counters IS
'Adds to counters of a player; of those in p_reached what counts is the highest. Pays what is earned by it,
in the order of the counters, and tells the player. The caller holds the player''s lock.
Key of each transfer: `achievement:<player>:<id>`.
Called by add_to_counter, count_achievements.';
