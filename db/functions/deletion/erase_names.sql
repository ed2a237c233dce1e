CREATE OR REPLACE FUNCTION erase_names(p_player bigint, p_max bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_name   text;
    v_tables bigint[];
    v_n      bigint;
    v_rows   bigint;
BEGIN
    SELECT p.nickname, ARRAY(SELECT s.table_id FROM seats s
                             WHERE s.player_id = p_player AND NOT s.live AND s.table_id > d.at_table
                             ORDER BY s.table_id LIMIT p_max)
    INTO v_name, v_tables
    FROM deletions d JOIN players p ON p.id = d.player_id WHERE d.player_id = p_player;
    v_rows := cardinality(v_tables);
    UPDATE hands h SET record = record_renamed(h.record, s.seat, v_name)
    FROM seats s WHERE s.player_id = p_player AND s.table_id = ANY (v_tables)
        AND h.table_id = s.table_id AND h.table_id = ANY (v_tables) AND h.record IS NOT NULL;
    UPDATE lost_tables l SET record = record_renamed(l.record, s.seat, v_name)
    FROM seats s WHERE s.player_id = p_player AND s.table_id = ANY (v_tables) AND l.table_id = s.table_id;
    UPDATE game_players SET nickname = v_name, avatar = ''
    WHERE player_id = p_player AND game_id IN (SELECT id FROM games WHERE table_id = ANY (v_tables));
    UPDATE seats SET nickname = v_name, avatar = ''
    WHERE player_id = p_player AND table_id = ANY (v_tables);
    UPDATE table_chat SET text = '' WHERE id = ANY (ARRAY(
        SELECT id FROM table_chat WHERE player_id = p_player AND kind = 'chat' AND text <> ''
        ORDER BY id LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_rows := v_rows + v_n;
    DELETE FROM club_chat WHERE id = ANY (ARRAY(
        SELECT id FROM club_chat WHERE player_id = p_player ORDER BY id LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_rows := v_rows + v_n;
    DELETE FROM notifications WHERE player_id = p_player AND id = ANY (ARRAY(
        SELECT id FROM notifications WHERE player_id = p_player ORDER BY id LIMIT p_max));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    v_rows := v_rows + v_n;
    UPDATE deletions SET at_table = coalesce(v_tables[cardinality(v_tables)], at_table),
                         done_at = CASE WHEN v_rows = 0 THEN now() END
    WHERE player_id = p_player;
    RETURN v_rows;
END $$;

COMMENT ON FUNCTION erase_names IS
'Continues erasing an account: replaces its name with the anonymous one at p_max of its tables (seats,
results, records), clears p_max of its chat messages, and removes p_max of its club messages and of its
notifications. Returns the number processed; 0: all is done, which is recorded. The caller holds the
player''s lock.
Called by erase_players_step.';
