CREATE OR REPLACE FUNCTION slow_turns_end(p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE slow_turns SET due_at = now(), left_for = NULL, told = true WHERE player_id = ANY (p_players);
    PERFORM vacation_end(id) FROM unnest(p_players) p (id);
END $$;

COMMENT ON FUNCTION slow_turns_end IS
'Ends the correspondence turns of banned players, and a vacation that would stop them: a node wakes their
tables (do_wake_due), so that their opponents do not wait for days.
Called by do_admin_ban.';
