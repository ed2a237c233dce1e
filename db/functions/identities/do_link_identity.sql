CREATE OR REPLACE FUNCTION do_link_identity(p_player bigint, p_session bigint, p_issuer text, p_subject text,
                                            p_email text, p_provider text, p_device_hash bytea,
                                            p_new_device_hash bytea, p_token_hash bytea, p_app text,
                                            p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_player  players;
    v_session bigint;
    v_ended   bigint[];
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    v_code := CASE
        WHEN v_player.id IS NULL THEN 'no_such_player'
        WHEN v_player.banned_at IS NOT NULL THEN 'banned'
        WHEN EXISTS (SELECT 1 FROM identities WHERE issuer = p_issuer AND player_id = p_player
                     AND subject <> p_subject) THEN 'identity_other'
        WHEN v_player.kind = 'guest'
             AND EXISTS (SELECT 1 FROM credentials c JOIN players p ON p.id = c.player_id
                         WHERE c.email = email_key(p_email) AND p.email_verified_at IS NOT NULL)
            THEN 'email_has_account' END;
    IF v_code IS NULL THEN
        INSERT INTO identities (player_id, issuer, subject, email)
        VALUES (p_player, p_issuer, p_subject, p_email)
        ON CONFLICT (issuer, subject) DO UPDATE SET used_at = now(), email = p_email
            WHERE identities.player_id = p_player;
        v_code := CASE WHEN FOUND THEN 'ok' ELSE 'identity_taken' END;
    END IF;
    IF v_code = 'ok' THEN
        IF v_player.kind = 'guest' THEN
            UPDATE players SET kind = 'registered' WHERE id = p_player;
            DELETE FROM guest_devices WHERE player_id = p_player;
            PERFORM identity_email(p_player, p_email);
            v_ended := sessions_end_of(p_player, NULL);
        ELSE
            PERFORM mail_put(p_player, NULL, 'identity_linked', jsonb_build_object('provider', p_provider));
            v_ended := sessions_end(ARRAY[p_session]);
        END IF;
        PERFORM device_known(p_player, p_device_hash, p_new_device_hash);
        v_session := session_begin(p_player, p_token_hash, p_app, p_system, p_address);
    END IF;
    RETURN session_answer(v_code, p_player, v_session, v_ended);
END $$;

COMMENT ON FUNCTION do_link_identity IS
'Links a provider to a player, confirmed by email. This turns a guest into a registered account that keeps
everything; the device no longer opens it. A new session replaces this one, or all of the guest''s. p_email:
verified by the provider; NULL: none. p_provider: its name. p_device_hash …: see enter_session.
Refusals: no_such_player, banned, identity_other (they have another one of this provider), identity_taken (it
is another account''s), email_has_account (for a guest: another account has confirmed this address).
Locks: the player, and one that was registered with the address but never confirmed it.
Called by api.';
