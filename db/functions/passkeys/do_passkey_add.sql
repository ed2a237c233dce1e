CREATE OR REPLACE FUNCTION do_passkey_add(p_player bigint, p_session bigint, p_challenge_hash bytea,
                                          p_credential_id bytea, p_algorithm text, p_public_key bytea,
                                          p_sign_count bigint, p_backup_eligible boolean,
                                          p_backed_up boolean, p_transports text, p_name text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_passkey passkeys;
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_code := CASE WHEN NOT passkey_challenge_take(p_challenge_hash, p_session) THEN 'challenge_unknown'
                   ELSE passkeys_full(p_player) END;
    IF v_code IS NULL THEN
        INSERT INTO passkeys (player_id, credential_id, algorithm, public_key, sign_count, backup_eligible,
                              backed_up, transports, name)
        VALUES (p_player, p_credential_id, p_algorithm, p_public_key, p_sign_count, p_backup_eligible,
                p_backed_up, string_to_array(p_transports, ' '), p_name)
        ON CONFLICT (credential_id) DO NOTHING
        RETURNING * INTO v_passkey;
        v_code := CASE WHEN v_passkey.id IS NULL THEN 'passkey_taken' ELSE 'ok' END;
    END IF;
    IF v_code = 'ok' THEN
        PERFORM mail_put(p_player, NULL, 'passkey_added', '{}');
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'ok' THEN passkey_json(v_passkey)::text END;
END $$;

COMMENT ON FUNCTION do_passkey_add IS
'Adds a passkey to a player who was issued this challenge in this session, confirmed by email.
Key: the challenge, which works once, and the credential id, which is unique.
Refusals: challenge_unknown (used, expired, dropped, or another session''s), too_many_passkeys, passkey_taken.
Locks: the player.
Called by api.';
