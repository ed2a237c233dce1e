CREATE OR REPLACE FUNCTION do_reauth_begin(p_player bigint, p_source text, p_device_hash bytea)
    RETURNS TABLE (code text, attempt bigint, password_hash text, retry_s integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_email text;
BEGIN
    SELECT c.email INTO v_email FROM credentials c WHERE c.player_id = p_player;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'not_registered', NULL::bigint, NULL::text, 0;
        RETURN;
    END IF;
    RETURN QUERY SELECT b.code, b.attempt, b.password_hash, b.retry_s
                 FROM do_login_begin(v_email, p_source, p_device_hash) b;
END $$;

COMMENT ON FUNCTION do_reauth_begin IS
'What do_login_begin does, for who is signed in and gives their password once more before they change what
opens the account: counted as a log-in is, with the same locks.
Refusals: not_registered (a guest), and those of do_login_begin.
Called by api.';
