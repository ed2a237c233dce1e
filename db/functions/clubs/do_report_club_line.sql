CREATE OR REPLACE FUNCTION do_report_club_line(p_player bigint, p_club bigint, p_line bigint, p_reason text,
                                               p_text text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_line club_chat;
BEGIN
    SELECT * INTO v_line FROM club_chat c WHERE c.id = p_line AND c.club_id = p_club AND c.text <> '';
    code := CASE WHEN NOT EXISTS (SELECT 1 FROM clubs c WHERE c.id = p_club) THEN 'no_such_club'
                 WHEN NOT club_admits(p_club, p_player) THEN 'not_club_member'
                 WHEN v_line.id IS NULL THEN 'no_such_message'
                 WHEN v_line.player_id = p_player THEN 'own_message' END;
    IF code IS NULL THEN
        code := 'ok';
        body := report_club(p_player, v_line.player_id, p_club, p_line, v_line.text, p_reason, p_text);
    END IF;
    RETURN QUERY SELECT code, body;
END $$;

COMMENT ON FUNCTION do_report_club_line IS
'Reports a club message, with its current text. While such a report is open, another one by the same player
changes nothing.
Refusals: no_such_club, not_club_member, no_such_message, own_message.
Called by api.';
