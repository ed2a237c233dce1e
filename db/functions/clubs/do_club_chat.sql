CREATE OR REPLACE FUNCTION do_club_chat(p_player bigint, p_club bigint, p_text text, p_idem_key text,
                                        p_body_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_club   bigint;
    v_line   club_chat;
    v_answer jsonb;
    v_code   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'club_chat:' || p_club, p_body_hash);
    IF v_answer IS NULL THEN
        SELECT c.id INTO v_club FROM clubs c WHERE c.id = p_club FOR KEY SHARE;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_club IS NULL THEN 'no_such_club'
                       WHEN NOT club_admits(p_club, p_player) THEN 'not_club_member'
                       WHEN chat_is_barred(p_player) THEN 'chat_muted'
                       WHEN (SELECT count(*) FROM club_chat c -- same limits as at a table: tables/chat.h
                             WHERE c.player_id = p_player AND c.at > clock_timestamp() - interval '10 s') >= 5
                       THEN 'chat_too_fast' END;
        IF v_code IS NULL THEN
            INSERT INTO club_chat (club_id, player_id, text) VALUES (p_club, p_player, p_text)
            RETURNING * INTO v_line;
            DELETE FROM club_chat WHERE club_id = p_club AND id <= (
                SELECT c.id FROM club_chat c WHERE c.club_id = p_club
                ORDER BY c.id DESC OFFSET setting_int('club_chat_max') LIMIT 1);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'club_chat:' || p_club, p_body_hash, v_code,
                                    jsonb_build_object('code', 'ok', 'body', club_line_json(v_line)));
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_club_chat IS
'A member posts a message to a club. The last club_chat_max messages are kept.
Key: p_idem_key of the player, for this club.
Refusals: no_such_player, banned, no_such_club, not_club_member, chat_muted, chat_too_fast (five in ten
seconds, in all clubs), idempotency_key_reused.
Locks: the player, then the club, against its end.
Called by api.';
