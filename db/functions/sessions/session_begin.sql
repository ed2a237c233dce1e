CREATE OR REPLACE FUNCTION session_begin(p_player bigint, p_token_hash bytea, p_app text, p_system text,
                                         p_address text)
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_over    timestamptz := now() + make_interval(secs => setting_int('session_life_s'));
    v_session bigint;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    INSERT INTO sessions (player_id, app, system, network, idle_at, over_at)
    VALUES (p_player, p_app, p_system, network_of(p_address),
            least(now() + make_interval(secs => setting_int('session_idle_s')), v_over), v_over)
    RETURNING id INTO v_session;
    INSERT INTO refresh_tokens (token_hash, session_id) VALUES (p_token_hash, v_session);
    PERFORM sessions_end(ARRAY(
        SELECT id FROM sessions
        WHERE player_id = p_player AND id <> v_session AND ended_at IS NULL AND idle_at > now()
        ORDER BY used_at DESC, id DESC OFFSET setting_int('sessions_per_player_max') - 1));
    RETURN v_session;
END $$;

COMMENT ON FUNCTION session_begin IS
'Begins a session of a player with its first refresh token, and returns its id. p_app, p_system, p_address:
those of the client; NULL: unknown. Beyond sessions_per_player_max, the player''s least recently used
session ends.
Locks: the player, then sessions.
Called by do_enter_guest, do_enter_registered, do_enter_upgraded, do_link_identity, enter_session.';
