CREATE OR REPLACE FUNCTION do_request_export(p_attempt bigint, p_player bigint, p_step bigint,
                                         p_recovery_hash bytea, p_session bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text := reauth_account(p_attempt, p_player, p_step, p_recovery_hash, p_session);
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF NOT EXISTS (SELECT 1 FROM players WHERE id = p_player AND deleted_at IS NULL) THEN
        v_code := 'no_such_player';
    ELSIF v_code = 'ok' AND NOT EXISTS (
        SELECT 1 FROM exports
        WHERE player_id = p_player
          AND (ready_at IS NULL OR asked_at > now() - make_interval(secs => setting_int('export_every_s'))))
    THEN
        DELETE FROM exports WHERE player_id = p_player;
        INSERT INTO exports (player_id) VALUES (p_player);
    END IF;
    RETURN QUERY SELECT v_code, export_json(p_player)::text;
END $$;

COMMENT ON FUNCTION do_request_export IS
'Requests a file of the player''s own data. A player has one at a time: a request within export_every_s, or
while a file is being made, returns the existing one; a later request replaces it. p_attempt: the attempt
that do_reauth_begin counted for the password they entered; NULL: they have no password. p_step,
p_recovery_hash: see reauth_finish. p_session: the session of the request.
Refusals: no_such_player, and those of reauth_account.
Locks: the player.
Called by api.';
