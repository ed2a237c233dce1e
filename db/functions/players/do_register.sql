CREATE OR REPLACE FUNCTION do_register(p_email text, p_password_hash text, p_names jsonb, p_avatar text,
                                       p_withheld boolean = false)
    RETURNS TABLE (code text, player_id bigint, role text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player bigint;
BEGIN
    IF NOT email_free(p_email, NULL, false) THEN
        RETURN QUERY SELECT 'email_taken', NULL::bigint, NULL::text;
        RETURN;
    END IF;
    BEGIN
        v_player := do_create_named('registered', p_names, p_avatar, p_withheld);
        IF v_player IS NULL THEN
            RETURN QUERY SELECT 'name_taken', NULL::bigint, NULL::text;
            RETURN;
        END IF;
        INSERT INTO credentials (player_id, email, password_hash)
        VALUES (v_player, email_key(p_email), p_password_hash);
    EXCEPTION WHEN unique_violation THEN
        RETURN QUERY SELECT 'email_taken', NULL::bigint, NULL::text;
        RETURN;
    END;
    RETURN QUERY SELECT 'ok', p.id, p.role FROM players p WHERE p.id = v_player;
END $$;

COMMENT ON FUNCTION do_register IS
'Creates a registered player. p_names, p_withheld: see do_create_named.
Refusals: email_taken, name_taken; then no player is created.
Called by do_enter_registered.';
