CREATE OR REPLACE FUNCTION do_chat(p_player bigint, p_table bigint, p_seat integer, p_kind text, p_text text,
                                   p_command text)
    RETURNS TABLE (code text, id bigint, at timestamptz, deaf integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_said table_chat;
    v_deaf integer;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM seats s
                   WHERE s.table_id = p_table AND s.player_id = p_player AND s.seat = p_seat)
       OR chat_is_barred(p_player) THEN
        RETURN QUERY SELECT CASE WHEN chat_is_barred(p_player) THEN 'chat_muted' ELSE 'not_seated' END,
                            NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    INSERT INTO table_chat (table_id, player_id, seat, kind, text, command)
    VALUES (p_table, p_player, p_seat, p_kind, p_text, p_command)
    ON CONFLICT (table_id, player_id, command) DO NOTHING RETURNING * INTO v_said;
    IF v_said.id IS NULL THEN
        RETURN QUERY SELECT 'repeated', NULL::bigint, NULL::timestamptz, 0;
        RETURN;
    END IF;
    SELECT coalesce(sum(1 << s.seat), 0) INTO v_deaf FROM seats s
    JOIN player_blocks b ON b.player_id = s.player_id AND b.other_id = p_player
    WHERE s.table_id = p_table;
    RETURN QUERY SELECT 'ok', v_said.id, v_said.at, v_deaf;
END $$;

COMMENT ON FUNCTION do_chat IS
'Stores a chat message at a table. deaf: a bit for each seat that has muted or blocked the author.
Key: p_command of the player at the table.
Refusals: repeated (this id was used before), not_seated, chat_muted.
Called by server.';
