CREATE OR REPLACE FUNCTION erase_players_step(p_at timestamptz) RETURNS job_step
    LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint;
    v_n      bigint;
BEGIN
    v_player := (SELECT player_id FROM deletions WHERE erased_at IS NOT NULL AND done_at IS NULL
                 ORDER BY player_id LIMIT 1);
    IF v_player IS NOT NULL THEN
        PERFORM lock_players(ARRAY[v_player]);
        IF EXISTS (SELECT 1 FROM deletions WHERE player_id = v_player AND done_at IS NULL) THEN
            v_n := erase_names(v_player, setting_int('erase_batch'));
        END IF;
        RETURN ROW(true, jsonb_build_object('rows', coalesce(v_n, 0)))::job_step;
    END IF;
    v_player := (SELECT player_id FROM deletions d
                 WHERE erased_at IS NULL AND due_at <= p_at
                   AND cardinality(deletion_waits_for(player_id)) = 0
                 ORDER BY due_at LIMIT 1);
    IF v_player IS NOT NULL THEN
        PERFORM lock_players(ARRAY[v_player]);
        -- Canceled, or processed by another call in the meantime?
        IF cardinality(deletion_waits_for(v_player)) = 0
           AND EXISTS (SELECT 1 FROM deletions
                       WHERE player_id = v_player AND erased_at IS NULL AND due_at <= p_at) THEN
            PERFORM erase_player(v_player);
            v_n := 1;
        END IF;
        RETURN ROW(true, jsonb_build_object('players', coalesce(v_n, 0)))::job_step;
    END IF;
    v_n := deletion_reminders(p_at);
    IF v_n > 0 THEN
        RETURN ROW(true, jsonb_build_object('reminders', v_n))::job_step;
    END IF;
    -- Later credits: a season prize, or gold from a failed refund.
    FOR v_player IN SELECT d.player_id FROM deletions d
                    WHERE d.done_at > p_at - interval '400 days'
                      AND EXISTS (SELECT 1 FROM accounts a
                                  WHERE a.kind = 'purse' AND a.player_id = d.player_id AND a.balance > 0)
                    ORDER BY d.player_id LIMIT setting_int('erase_batch') LOOP
        PERFORM lock_players(ARRAY[v_player]);
        v_n := v_n + forfeit_chips(v_player);
    END LOOP;
    RETURN ROW(v_n >= setting_int('erase_batch'), jsonb_build_object('forfeits', v_n))::job_step;
END $$;

COMMENT ON FUNCTION erase_players_step IS
'Continues with one account that is being erased; otherwise begins one that is due, unless something delays
it; otherwise sends reminders; otherwise removes chips that have reached purses of deleted accounts.
Locks: the player.
Called by the job erase_players.';
