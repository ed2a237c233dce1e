CREATE OR REPLACE FUNCTION do_passkey_remove(p_attempt bigint, p_player bigint, p_step bigint,
                                             p_recovery_hash bytea, p_session bigint,
                                             p_passkey bigint, p_issuers text[])
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    v_code := reauth_account(p_attempt, p_player, p_step, p_recovery_hash, p_session);
    v_code := CASE
        WHEN v_code <> 'ok' THEN v_code
        WHEN NOT EXISTS (SELECT 1 FROM passkeys WHERE id = p_passkey AND player_id = p_player)
            THEN 'no_such_passkey'
        WHEN ways_in(p_player, p_issuers) < 2 THEN 'last_way_in'
        ELSE 'ok' END;
    IF v_code = 'ok' THEN
        DELETE FROM passkeys WHERE id = p_passkey;
        PERFORM mail_put(p_player, NULL, 'passkey_removed', '{}');
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_passkey_remove IS
'Removes a passkey of a player, confirmed by email. p_attempt …: see reauth_account. p_issuers: as in ways_in.
Refusals: no_such_passkey (also: another player''s), last_way_in, and those of reauth_account.
Locks: the player.
Called by api.';
