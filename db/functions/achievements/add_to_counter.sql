CREATE OR REPLACE FUNCTION add_to_counter(p_player bigint, p_counter text, p_n bigint, p_reached boolean)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_n           bigint;
    v_achievement achievements;
BEGIN
    INSERT INTO player_counters AS c (player_id, counter, n) VALUES (p_player, p_counter, p_n)
    ON CONFLICT (player_id, counter) DO UPDATE
    SET n = CASE WHEN p_reached THEN greatest(c.n, excluded.n) ELSE c.n + excluded.n END
    RETURNING n INTO v_n;
    FOR v_achievement IN
        SELECT a.* FROM achievements a
        WHERE a.counter = p_counter AND a.goal <= v_n
          AND NOT EXISTS (SELECT 1 FROM player_achievements e
                          WHERE e.player_id = p_player AND e.achievement_id = a.id)
        ORDER BY a.position LOOP
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

COMMENT ON FUNCTION add_to_counter IS
'Adds p_n to a counter of a player; with p_reached, raises it to at least p_n. Pays the achievements earned,
and notifies the player. The caller holds the player''s lock.
Key of each transfer: `achievement:<player>:<id>`.
Called by do_counts_due.';
