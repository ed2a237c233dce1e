CREATE OR REPLACE FUNCTION do_end_sessions(p_player bigint, p_but bigint)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT 'ok', sessions_end_of(p_player, p_but);
END $$;

COMMENT ON FUNCTION do_end_sessions IS
'Ends all sessions of a player except p_but; NULL: all of them. A repeat ends nothing.
Called by api.';

CREATE OR REPLACE FUNCTION do_end_session(p_player bigint, p_session bigint)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM sessions WHERE id = p_session AND player_id = p_player
                                                AND ended_at IS NULL AND idle_at > now()) THEN
        RETURN QUERY SELECT 'session_unknown', NULL::bigint[];
        RETURN;
    END IF;
    RETURN QUERY SELECT 'ok', sessions_end(ARRAY[p_session]);
END $$;

COMMENT ON FUNCTION do_end_session IS
'Ends one session of a player.
Refusals: session_unknown (also: another player''s, or over).
Called by api.';
