CREATE OR REPLACE FUNCTION do_delete_club_line(p_player bigint, p_club bigint, p_line bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_line club_chat;
BEGIN
    SELECT * INTO v_line FROM club_chat c WHERE c.id = p_line AND c.club_id = p_club;
    code := CASE
        WHEN NOT EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN 'no_such_club'
        WHEN v_line.player_id IS DISTINCT FROM p_player AND NOT club_admits(p_club, p_player)
        THEN 'not_club_member'
        WHEN v_line.id IS NULL THEN 'no_such_message'
        WHEN v_line.player_id <> p_player AND NOT EXISTS (
             SELECT 1 FROM club_members m
             WHERE m.club_id = p_club AND m.player_id = p_player AND m.role = 'owner')
        THEN 'not_your_message' END;
    IF code IS NULL THEN
        UPDATE club_chat SET text = '' WHERE id = p_line;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok');
END $$;

COMMENT ON FUNCTION do_delete_club_line IS
'The author of a club message, or the club''s owner, deletes it. Its row remains, without text, so that it
still counts for the author''s rate limit. Safe to repeat.
Refusals: no_such_club, not_club_member, no_such_message, not_your_message.
Called by api.';
