CREATE OR REPLACE FUNCTION do_change_password(p_attempt bigint, p_player bigint, p_session bigint,
                                              p_password_hash text)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM do_login_ok(p_attempt);
    PERFORM lock_players(ARRAY[p_player]);
    UPDATE credentials SET password_hash = p_password_hash WHERE player_id = p_player;
    RETURN QUERY SELECT 'ok', password_changed(p_player, p_session);
END $$;

COMMENT ON FUNCTION do_change_password IS
'Sets the password of who has just given the old one (p_attempt, see do_login_begin). Their sessions
end, but for p_session.
Locks: the player.
Called by api.';
