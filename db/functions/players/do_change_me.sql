CREATE OR REPLACE FUNCTION do_change_me(p_player bigint, p_nickname text, p_avatar text)
    RETURNS session_answer
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE players SET nickname = coalesce(p_nickname, nickname), avatar = coalesce(p_avatar, avatar)
    WHERE id = p_player AND deleted_at IS NULL;
    RETURN session_answer(CASE WHEN FOUND THEN 'ok' ELSE 'no_such_player' END, p_player);
END $$;

COMMENT ON FUNCTION do_change_me IS
'Changes nickname and avatar, each unless NULL, and answers with the profile.
Refusals: no_such_player.
Called by api.';
