CREATE OR REPLACE FUNCTION sessions_end(p_sessions bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_ended bigint[];
BEGIN
    WITH locked AS (
        SELECT id FROM sessions WHERE id = ANY (p_sessions) AND ended_at IS NULL ORDER BY id
        FOR NO KEY UPDATE
    ), ended AS (
        UPDATE sessions s SET ended_at = now() FROM locked l WHERE s.id = l.id RETURNING s.id
    )
    SELECT array_agg(id ORDER BY id) INTO v_ended FROM ended;
    RETURN coalesce(v_ended, '{}');
END $$;

COMMENT ON FUNCTION sessions_end IS
'Ends sessions: their refresh tokens are refused, and every node soon learns to refuse their access tokens
(q_ended_sessions). Returns those that had not ended before.
Locks: the sessions, by id.
Called by bot_tokens_end, bots_sessions_end, do_end_session, do_enter_refresh, do_link_identity, do_logout,
session_begin, sessions_end_of.';
