CREATE OR REPLACE FUNCTION do_bot_retire(p_owner bigint, p_bot bigint)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_bot bigint := bot_of(p_owner, p_bot);
BEGIN
    IF v_bot IS NULL THEN
        RETURN QUERY SELECT 'no_such_bot', NULL::bigint[];
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[v_bot]);
    RETURN QUERY SELECT 'ok', bot_retire(v_bot);
END $$;

COMMENT ON FUNCTION do_bot_retire IS
'A player gives a bot up, for good.
Refusals: no_such_bot (also: another player''s, or given up before).
Locks: the bot, then sessions.
Called by api.';
