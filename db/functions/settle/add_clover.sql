CREATE OR REPLACE FUNCTION add_clover(p_player bigint, p_points bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_level  integer;
    v_points bigint;
    v_needed bigint;
    v_reward bigint;
    v_gold   bigint := 0;
BEGIN
    SELECT level, level_points + p_points INTO STRICT v_level, v_points FROM players WHERE id = p_player;
    LOOP
        SELECT points_needed INTO STRICT v_needed FROM levels WHERE level = v_level;
        EXIT WHEN v_needed IS NULL OR v_points < v_needed;
        v_points := v_points - v_needed;
        v_level := v_level + 1;
        SELECT reward_gold INTO STRICT v_reward FROM levels WHERE level = v_level;
        IF v_reward > 0 THEN
            PERFORM ledger_post('level', 'level:' || p_player || ':' || v_level, NULL, '',
                                credit_legs(p_player, 'gold', v_reward, 'level'));
            v_gold := v_gold + v_reward;
        END IF;
    END LOOP;
    UPDATE players SET level = v_level, level_points = v_points, clover_points = clover_points + p_points
    WHERE id = p_player;
    RETURN v_gold;
END $$;

COMMENT ON FUNCTION add_clover IS
'Adds Clover points and climbs as many levels as they reach; each level''s reward is paid in gold. Returns
the gold. The caller holds the player''s lock.
Key of each transfer: `level:<player>:<level>`.
Called by settle_points.';
