CREATE OR REPLACE FUNCTION do_change_password(p_attempt bigint, p_player bigint, p_step bigint,
                                              p_recovery_hash bytea, p_session bigint,
                                              p_password_hash text)
    RETURNS TABLE (code text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := reauth_finish(p_attempt, p_player, p_step, p_recovery_hash);
BEGIN
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, NULL::bigint[];
        RETURN;
    END IF;
    PERFORM lock_players(ARRAY[p_player]);
    UPDATE credentials SET password_hash = p_password_hash WHERE player_id = p_player;
    RETURN QUERY SELECT 'ok', password_changed(p_player, p_session);
END $$;

COMMENT ON FUNCTION do_change_password IS
'Sets the password of a player who has just entered the old one (p_attempt …: see reauth_finish). Their
sessions end, except p_session.
Refusals: those of reauth_finish.
Locks: the player.
Called by api.';
