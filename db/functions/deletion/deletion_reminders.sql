CREATE OR REPLACE FUNCTION deletion_reminders(p_at timestamptz) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_due deletions;
    v_n   bigint := 0;
BEGIN
    FOR v_due IN UPDATE deletions SET reminded_at = now() WHERE player_id = ANY (ARRAY(
                     SELECT player_id FROM deletions
                     WHERE erased_at IS NULL AND reminded_at IS NULL AND due_at > p_at
                       AND due_at <= p_at + make_interval(
                               days => setting_int('deletion_remind_days')::integer)
                     ORDER BY player_id LIMIT setting_int('erase_batch') FOR UPDATE SKIP LOCKED))
                 RETURNING * LOOP
        PERFORM mail_put(v_due.player_id, NULL, 'deletion_soon',
                         jsonb_build_object('day', to_char(v_due.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')));
        v_n := v_n + 1;
    END LOOP;
    RETURN v_n;
END $$;

COMMENT ON FUNCTION deletion_reminders IS
'Sends one reminder for each account that is due for deletion within deletion_remind_days. Returns how many
were sent.
Called by erase_players_step.';
