CREATE OR REPLACE FUNCTION do_create_named(p_kind text, p_names jsonb, p_avatar text,
                                           p_withheld boolean = false) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_name   jsonb;
    v_player bigint;
BEGIN
    FOR v_name IN SELECT * FROM jsonb_array_elements(p_names) LOOP
        CONTINUE WHEN EXISTS (SELECT 1 FROM jsonb_array_elements_text(v_name->'keys') k
                              JOIN name_keys n ON n.key = k
                              WHERE n.until IS NULL OR n.until > now());
        BEGIN
            v_player := do_create_player(p_kind, v_name->>'nickname', p_avatar, p_withheld);
            PERFORM name_take(v_player, v_name);
            UPDATE players SET nickname_given = true WHERE id = v_player AND (v_name->>'given')::boolean;
            RETURN v_player;
        EXCEPTION WHEN unique_violation THEN
            v_player := NULL; -- another player took it first: try the next one
        END;
    END LOOP;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION do_create_named IS
'Creates a player with the first of these names (name_take) that is free. NULL: all are taken, or look like a
taken one; then no player is created. p_withheld: see do_create_player.
Called by do_bot_make, do_enter_guest, do_enter_identity, do_register.';
