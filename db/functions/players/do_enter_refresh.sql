CREATE OR REPLACE FUNCTION do_enter_refresh(p_token_hash bytea, p_next_hash bytea, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_token   refresh_tokens;
    v_session sessions;
    v_player  players;
    v_code    text;
BEGIN
    -- The lock of a session's row serializes changes to its tokens. The player's lock comes first, because
    -- a bonus may be due.
    SELECT s.* INTO v_session FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id
    WHERE t.token_hash = p_token_hash;
    PERFORM lock_players(ARRAY[v_session.player_id]);
    SELECT * INTO v_session FROM sessions WHERE id = v_session.id FOR NO KEY UPDATE;
    SELECT * INTO v_token FROM refresh_tokens WHERE token_hash = p_token_hash;
    SELECT * INTO v_player FROM players WHERE id = v_session.player_id;
    v_code := CASE WHEN v_token.token_hash IS NULL THEN 'token_unknown'
                   WHEN v_session.ended_at IS NOT NULL THEN 'token_revoked'
                   WHEN v_token.used_at IS NOT NULL AND NOT refresh_answer_lost(v_token) THEN 'token_reused'
                   WHEN v_session.idle_at <= now() THEN 'session_expired'
                   WHEN v_player.banned_at IS NOT NULL OR v_player.deleted_at IS NOT NULL THEN 'banned'
                   ELSE 'ok' END;
    IF v_code = 'token_reused' THEN
        RETURN session_answer(v_code, v_player.id, v_session.id, sessions_end(ARRAY[v_session.id]));
    ELSIF v_code = 'ok' THEN
        IF v_token.next_hash IS DISTINCT FROM p_next_hash THEN
            DELETE FROM refresh_tokens WHERE token_hash = v_token.next_hash;
            INSERT INTO refresh_tokens (token_hash, session_id) VALUES (p_next_hash, v_session.id);
            UPDATE refresh_tokens SET used_at = coalesce(used_at, now()), next_hash = p_next_hash
            WHERE token_hash = p_token_hash;
        END IF;
        UPDATE sessions
        SET used_at = now(), network = coalesce(network_of(p_address), network),
            idle_at = least(now() + make_interval(secs => setting_int('session_idle_s')), over_at)
        WHERE id = v_session.id;
    END IF;
    RETURN session_answer(v_code, v_player.id, v_session.id);
END $$;

COMMENT ON FUNCTION do_enter_refresh IS
'Renews a session: the next refresh token for this one, and the profile. p_next_hash: hash of the token
derived from this one, which is always the same, so that concurrent calls with one token, or a repeat after
a lost reply, get the same successor. If a token is used again later, two parties hold it, and its session
ends.
Refusals: token_unknown, token_revoked (the session was ended), token_reused, session_expired (not used for
session_idle_s, or older than session_life_s), banned (or deleted).
Locks: the player, then the session.
Called by api.';
