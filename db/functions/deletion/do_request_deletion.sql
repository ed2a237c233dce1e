CREATE OR REPLACE FUNCTION do_request_deletion(p_attempt bigint, p_player bigint, p_step bigint,
                                           p_recovery_hash bytea, p_session bigint)
    RETURNS TABLE (code text, body text, ended bigint[], seats_of bigint[])
    LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
    code := reauth_account(p_attempt, p_player, p_step, p_recovery_hash, p_session);
    IF code = 'ok' THEN
        SELECT b.code, b.ended, b.seats_of INTO code, ended, seats_of
        FROM deletion_begin(p_player, NULL, p_session) b;
    END IF;
    body := deletion_json(p_player)::text;
    RETURN NEXT;
END $$;

COMMENT ON FUNCTION do_request_deletion IS
'Schedules deletion at the player''s request. p_attempt: the attempt that do_reauth_begin counted for the
password they entered; NULL: they have no password. p_step, p_recovery_hash: see reauth_finish. Their
sessions end, except p_session. A repeat keeps the first date. seats_of: see deletion_begin.
Refusals: no_such_player, and those of reauth_account.
Locks: those of deletion_begin.
Called by api.';
