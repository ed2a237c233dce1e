CREATE OR REPLACE FUNCTION do_enter_registered(p_email text, p_password_hash text, p_names jsonb,
                                               p_avatar text, p_invite text, p_device_hash bytea,
                                               p_new_device_hash bytea, p_token_hash bytea,
                                               p_app text, p_system text, p_address text,
                                               p_language text, p_address_hash bytea = NULL)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code    text;
    v_player  bigint;
    v_session bigint;
    v_inviter bigint := inviter_of(p_invite);
BEGIN
    IF p_invite IS NOT NULL THEN
        PERFORM lock_players(ARRAY[v_inviter]);
        v_code := invite_refusal(NULL, v_inviter);
    END IF;
    IF v_code IS NULL THEN
        SELECT r.code, r.player_id INTO STRICT v_code, v_player
        FROM do_register(p_email, p_password_hash, p_names, p_avatar, address_is_full(p_address_hash)) r;
    END IF;
    IF v_code = 'ok' THEN
        IF p_invite IS NOT NULL THEN
            PERFORM invite_accepted(v_player, v_inviter);
        END IF;
        PERFORM origin_note(v_player, p_address_hash);
        PERFORM device_known(v_player, p_device_hash, p_new_device_hash);
        v_session := session_begin(v_player, p_token_hash, p_app, p_system, p_address);
        UPDATE players SET language = p_language WHERE id = v_player;
        PERFORM mail_proof_send(v_player, 'verify', p_email, 'verify', '{}');
    END IF;
    RETURN session_answer(v_code, v_player, v_session);
END $$;

COMMENT ON FUNCTION do_enter_registered IS
'Registers a player and signs them in, with a session and the profile; an email requests confirmation of the
address. p_names: see do_create_named. p_invite: invitation code; NULL: none. p_device_hash: hash of the
device''s token; NULL: it had none. p_token_hash …: see session_begin. p_language: language of their emails.
p_address_hash: see origin_note.
Refusals: email_taken, name_taken, and those of invite_refusal; then nothing is created.
Called by api.';
