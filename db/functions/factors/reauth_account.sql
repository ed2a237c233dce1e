CREATE OR REPLACE FUNCTION reauth_account(p_attempt bigint, p_player bigint, p_step bigint,
                                          p_recovery_hash bytea, p_session bigint)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_proof text;
BEGIN
    IF p_attempt IS NOT NULL THEN
        RETURN reauth_finish(p_attempt, p_player, p_step, p_recovery_hash);
    END IF;
    v_proof := account_proof(p_player);
    RETURN CASE
        WHEN v_proof = 'password' THEN 'wrong_password' -- they got one meanwhile
        WHEN v_proof = 'recent_session' AND NOT session_fresh(p_player, p_session) THEN 'sign_in_again'
        ELSE 'ok' END;
END $$;

COMMENT ON FUNCTION reauth_account IS
'Verifies the player''s identity for actions that guests may also perform. p_attempt, p_step, p_recovery_hash:
see reauth_finish; p_attempt NULL: they have no password, and account_proof defines what replaces it.
Refusals: wrong_password (it takes one), sign_in_again, and those of reauth_finish.
Called by do_passkey_begin, do_passkey_remove, do_request_deletion, do_request_export.';
