CREATE OR REPLACE FUNCTION bot_tokens_end(p_bot bigint, p_token bigint) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_sessions bigint[];
BEGIN
    WITH gone AS (
        DELETE FROM bot_tokens WHERE player_id = p_bot AND (p_token IS NULL OR id = p_token)
        RETURNING session_id
    )
    SELECT array_agg(session_id) INTO v_sessions FROM gone WHERE session_id IS NOT NULL;
    RETURN sessions_end(coalesce(v_sessions, '{}'));
END $$;

COMMENT ON FUNCTION bot_tokens_end IS
'Removes one token of a bot, or all (p_token NULL), and ends their sessions. Returns the sessions that this
call ended.
Called by bot_retire, do_bot_token_revoke, ways_in_end.';
