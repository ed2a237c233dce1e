CREATE OR REPLACE FUNCTION add_to_quests(p_player bigint, p_counter text, p_n bigint, p_week date)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_quest quests;
    v_n     bigint;
BEGIN
    FOR v_quest IN SELECT * FROM quests_of(p_week) q
                   WHERE q.counter = p_counter AND q.variant IS NULL ORDER BY q.slot LOOP
        INSERT INTO quest_progress AS w (player_id, week, quest_id, n)
        VALUES (p_player, p_week, v_quest.id, least(v_quest.goal, p_n))
        ON CONFLICT (player_id, week, quest_id) DO UPDATE SET n = least(v_quest.goal, w.n + p_n)
        WHERE w.done_at IS NULL
        RETURNING w.n INTO v_n;
        CONTINUE WHEN v_n IS DISTINCT FROM v_quest.goal;
        UPDATE quest_progress SET gold = v_quest.gold, done_at = now()
        WHERE player_id = p_player AND week = p_week AND quest_id = v_quest.id;
        IF v_quest.gold > 0 THEN
            PERFORM ledger_post('quest', quest_key(p_player, p_week, v_quest.id), NULL, '',
                                credit_legs(p_player, 'gold', v_quest.gold, 'quest'));
        END IF;
        PERFORM notify_player(p_player, 'quest', quest_json(v_quest.id, v_quest.counter, v_quest.variant,
                                                            v_quest.goal, v_quest.gold));
    END LOOP;
END $$;

COMMENT ON FUNCTION add_to_quests IS
'Counts events outside of games towards the quests of a week. Pays completed quests, and notifies the player.
The caller holds the player''s lock.
Key of each transfer: `quest:<player>:<week>:<id>`.
Called by do_counts_due.';
