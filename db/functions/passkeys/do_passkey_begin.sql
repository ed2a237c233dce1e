CREATE OR REPLACE FUNCTION do_passkey_begin(p_attempt bigint, p_player bigint, p_step bigint,
                                            p_recovery_hash bytea, p_session bigint,
                                            p_challenge_hash bytea, p_handle bytea)
    RETURNS TABLE (code text, handle text, name text, nickname text, known text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_code text;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_code := reauth_account(p_attempt, p_player, p_step, p_recovery_hash, p_session);
    IF v_code = 'ok' THEN
        v_code := coalesce(passkeys_full(p_player), 'ok');
    END IF;
    IF v_code <> 'ok' THEN
        RETURN QUERY SELECT v_code, NULL::text, NULL::text, NULL::text, NULL::text;
        RETURN;
    END IF;
    INSERT INTO passkey_handles (player_id, handle) VALUES (p_player, p_handle)
    ON CONFLICT (player_id) DO NOTHING;
    PERFORM passkey_challenge_put(p_challenge_hash, p_session);
    RETURN QUERY
    SELECT 'ok', base64url(h.handle), coalesce(c.email, p.nickname), p.nickname,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('type', 'public-key',
                                                         'id', base64url(k.credential_id),
                                                         'transports', k.transports) ORDER BY k.id), '[]')
            FROM passkeys k WHERE k.player_id = p_player)::text
    FROM players p JOIN passkey_handles h ON h.player_id = p.id LEFT JOIN credentials c ON c.player_id = p.id
    WHERE p.id = p_player;
END $$;

COMMENT ON FUNCTION do_passkey_begin IS
'Issues a challenge for a new passkey of a player, to their session. p_attempt …: see reauth_account.
p_handle: 32 random bytes by which passkeys identify the account, if it has none yet. Returns what the
authenticator displays: handle, name, nickname; and the existing passkeys, as JSON.
Refusals: too_many_passkeys, and those of reauth_account.
Locks: the player.
Called by api.';
