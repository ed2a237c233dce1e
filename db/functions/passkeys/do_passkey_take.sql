CREATE OR REPLACE FUNCTION do_passkey_take(p_challenge_hash bytea, p_credential_id bytea, p_handle bytea)
    RETURNS TABLE (code text, passkey_id bigint, player_id bigint, algorithm text, public_key bytea,
                   backup_eligible boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    IF NOT passkey_challenge_take(p_challenge_hash, NULL) THEN
        RETURN QUERY SELECT 'challenge_unknown', NULL::bigint, NULL::bigint, NULL::text, NULL::bytea,
                            NULL::boolean;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT 'ok', k.id, k.player_id, k.algorithm, k.public_key, k.backup_eligible
    FROM passkeys k JOIN passkey_handles h ON h.player_id = k.player_id
    WHERE k.credential_id = p_credential_id AND h.handle = p_handle;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'passkey_unknown', NULL::bigint, NULL::bigint, NULL::text, NULL::bytea,
                            NULL::boolean;
    END IF;
END $$;

COMMENT ON FUNCTION do_passkey_take IS
'The key that verifies the signature of a sign-in. The call uses up the challenge, whatever the outcome.
Refusals: challenge_unknown, passkey_unknown (also: it is of an account with another handle).
Called by api.';
