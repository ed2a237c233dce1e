CREATE OR REPLACE FUNCTION do_enter_upgraded(p_player bigint, p_email text, p_password_hash text,
                                             p_name jsonb, p_invite text, p_device_hash bytea,
                                             p_new_device_hash bytea, p_token_hash bytea, p_app text,
                                             p_system text, p_address text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_player  players;
    v_inviter bigint := inviter_of(p_invite);
    v_session bigint;
    v_ended   bigint[];
    v_code    text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL;
    v_code := CASE WHEN v_player.id IS NULL THEN 'no_such_player'
                   WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                   WHEN v_player.kind <> 'guest' THEN 'already_registered'
                   WHEN p_invite IS NOT NULL THEN invite_refusal(p_player, v_inviter) END;
    IF v_code IS NULL THEN
        BEGIN
            v_code := CASE WHEN NOT email_free(p_email, p_player, false) THEN 'email_taken'
                           WHEN p_name IS NULL THEN 'ok'
                           ELSE name_change(p_player, p_name, false) END;
            INSERT INTO credentials (player_id, email, password_hash)
            SELECT p_player, email_key(p_email), p_password_hash WHERE v_code = 'ok';
        EXCEPTION WHEN unique_violation THEN
            v_code := 'email_taken'; -- and the name did not change
        END;
    END IF;
    IF v_code = 'ok' THEN
        UPDATE players SET kind = 'registered' WHERE id = p_player;
        DELETE FROM guest_devices WHERE player_id = p_player;
        v_ended := sessions_end_of(p_player, NULL);
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        PERFORM device_known(p_player, p_device_hash, p_new_device_hash);
        v_session := session_begin(p_player, p_token_hash, p_app, p_system, p_address);
        PERFORM mail_proof_send(p_player, 'verify', p_email, 'verify', '{}');
    END IF;
    RETURN session_answer(v_code, p_player, v_session, v_ended);
END $$;

COMMENT ON FUNCTION do_enter_upgraded IS
'Turns a guest into a registered account. The player keeps everything, but the device no longer opens the
account, and a new session replaces all existing ones. An email requests confirmation of the address.
p_name: see name_take; NULL: unchanged. p_device_hash: hash of the device''s token; NULL: it had none.
p_token_hash …: see session_begin.
Refusals: no_such_player, banned, already_registered, email_taken, name_taken, name_too_soon, and those of
invite_refusal; then the guest is unchanged.
Called by api.';
