CREATE OR REPLACE FUNCTION do_bot_retire(p_owner bigint, p_bot bigint)
    RETURNS TABLE (code text, ended bigint[], seats_of bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_bot     bigint   := bot_of(p_owner, p_bot);
    v_waiting bigint[] := waiting_seats_lock(ARRAY[v_bot]);
BEGIN
    IF v_bot IS NULL THEN
        RETURN QUERY SELECT 'no_such_bot', NULL::bigint[], NULL::bigint[];
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[v_bot]);
    PERFORM waiting_seats_leave(ARRAY[v_bot], v_waiting);
    RETURN QUERY SELECT 'ok', bot_retire(v_bot), v_waiting;
END $$;

COMMENT ON FUNCTION do_bot_retire IS
'Retires a bot permanently, at its owner''s request. It leaves its seats at waiting tables; seats_of: those
tables, whose nodes must be notified.
Refusals: no_such_bot (also: another player''s, or already retired).
Locks: the tables at which it waits, then the bot, then sessions.
Called by api.';
