CREATE OR REPLACE FUNCTION do_change_me(p_player bigint, p_name jsonb, p_avatar text, p_language text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := 'ok';
BEGIN
    IF p_name IS NOT NULL THEN
        v_code := name_change(p_player, p_name, false);
    END IF;
    IF v_code = 'ok' THEN
        UPDATE players SET avatar = coalesce(p_avatar, avatar), language = coalesce(p_language, language)
        WHERE id = p_player AND deleted_at IS NULL;
        v_code := CASE WHEN FOUND THEN 'ok' ELSE 'no_such_player' END;
    END IF;
    RETURN session_answer(v_code, p_player);
END $$;

COMMENT ON FUNCTION do_change_me IS
'Changes the nickname (p_name, see name_take), the avatar, and the language of emails, and returns the
profile; NULL leaves one unchanged.
Refusals: those of name_change; then nothing is changed.
Called by api.';
