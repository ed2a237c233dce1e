CREATE OR REPLACE FUNCTION do_enter_identity(p_issuer text, p_subject text, p_email text, p_names jsonb,
                                             p_language text, p_device_hash bytea, p_new_device_hash bytea,
                                             p_token_hash bytea, p_app text, p_system text, p_address text,
                                             p_provider text)
    RETURNS TABLE (created boolean, answer session_answer)
    LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint;
    v_new    boolean;
    v_ended  bigint[];
    v_answer session_answer;
BEGIN
    -- Concurrent sign-ins with one identity must create only one player.
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd identity ' || p_issuer || ' ' || p_subject, 0));
    UPDATE identities SET used_at = now(), email = p_email WHERE issuer = p_issuer AND subject = p_subject
    RETURNING player_id INTO v_player;
    v_new := NOT FOUND;
    IF v_new THEN
        v_player := email_unconfirmed_owner(p_email, NULL);
        PERFORM lock_players(ARRAY[v_player]);
        SELECT p.id INTO v_player FROM players p -- a banned account is not claimed, but loses the address
        WHERE p.id = email_unconfirmed_owner(p_email, NULL) AND p.id = v_player AND p.banned_at IS NULL;
        v_new := NOT FOUND;
        IF FOUND THEN
            v_ended := identity_claim(v_player, p_issuer, p_subject, p_email, p_provider);
        END IF;
    ELSIF factor_challenge(v_player, p_token_hash) THEN
        RETURN QUERY SELECT false, session_answer('second_factor_needed', v_player);
        RETURN;
    END IF;
    IF v_new AND EXISTS (SELECT 1 FROM credentials c JOIN players p ON p.id = c.player_id
                         WHERE c.email = email_key(p_email) AND p.email_verified_at IS NOT NULL) THEN
        RETURN QUERY SELECT false, session_answer('email_has_account', NULL);
        RETURN;
    ELSIF v_new THEN
        v_player := do_create_named('registered', p_names, '');
        IF v_player IS NULL THEN
            RETURN QUERY SELECT false, session_answer('name_taken', NULL);
            RETURN;
        END IF;
        UPDATE players SET language = p_language WHERE id = v_player;
        INSERT INTO identities (player_id, issuer, subject, email)
        VALUES (v_player, p_issuer, p_subject, p_email);
        PERFORM identity_email(v_player, p_email);
    END IF;
    v_answer := enter_session(v_player, p_device_hash, p_new_device_hash, p_token_hash, p_app, p_system,
                              p_address);
    v_answer.ended := coalesce(v_ended, v_answer.ended);
    RETURN QUERY SELECT v_new, v_answer;
END $$;

COMMENT ON FUNCTION do_enter_identity IS
'Signs in with a provider''s identity; an unknown one gets a new account (created). p_email: verified by the
provider; NULL: none. It does not open an account that has confirmed this address: its owner signs in as
before and links the provider. An account that was registered with the address but never confirmed it passes
to this identity, without its previous credentials (identity_claim); if that account is banned, it loses the
address instead (identity_email). p_names: of a new account; see do_create_named. p_language: that of a new
account. p_provider: the provider''s name. p_device_hash …: see enter_session. An account with a second
factor is not signed in yet: see do_enter_login.
Refusals: email_has_account, name_taken, second_factor_needed, and those of enter_session.
Locks: the account that is claimed.
Called by api.';
