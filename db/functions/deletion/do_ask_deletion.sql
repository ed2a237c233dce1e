CREATE OR REPLACE FUNCTION do_ask_deletion(p_attempt bigint, p_player bigint, p_step bigint,
                                           p_recovery_hash bytea, p_session bigint)
    RETURNS TABLE (code text, body text, ended bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := reauth_account(p_attempt, p_player, p_step, p_recovery_hash, p_session);
BEGIN
    IF v_code = 'ok' THEN
        v_code := deletion_begin(p_player, NULL);
    END IF;
    RETURN QUERY SELECT v_code, deletion_json(p_player)::text,
                        CASE WHEN v_code = 'ok' THEN sessions_end_of(p_player, p_session) END;
END $$;

COMMENT ON FUNCTION do_ask_deletion IS
'A player wants their account deleted. p_attempt: how do_reauth_begin counted the password that they gave for
it; NULL: they have none. p_step, p_recovery_hash: see reauth_done. Their sessions end, but for p_session. At
a repeat the first day stays.
Refusals: no_such_player, and those of reauth_account.
Locks: the player.
Called by api.';
