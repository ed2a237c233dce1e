CREATE OR REPLACE FUNCTION q_board_around(p_reader bigint, p_variant text, p_kind text, p_period text)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_board   integer := board_named(p_variant, p_kind, p_period, now());
    v_score   bigint := (SELECT score FROM board_entries WHERE board_id = v_board AND player_id = p_reader);
    v_place   bigint := CASE WHEN v_score IS NOT NULL THEN board_place(v_board, v_score, p_reader) END;
    v_n       bigint := setting_int('board_around');
    v_before  bigint[];
    v_players bigint[];
    v_scores  bigint[];
    v_above   bigint[];
BEGIN
    IF v_place IS NOT NULL THEN
        SELECT array_agg(player_id ORDER BY score DESC, player_id),
               array_agg(score ORDER BY score DESC, player_id)
        INTO v_before, v_above
        FROM (SELECT player_id, score FROM board_entries
              WHERE board_id = v_board AND (score, -player_id) > (v_score, -p_reader)
              ORDER BY score, (-player_id) LIMIT v_n) a;
        SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, v_score, p_reader, v_n);
        v_players := coalesce(v_before, '{}') || p_reader || v_players;
        v_scores := coalesce(v_above, '{}') || v_score || v_scores;
    END IF;
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'),
           json_build_object('place', v_place, 'items', coalesce((
        SELECT json_agg(l.body ORDER BY l.place)
        FROM board_lines(p_reader, v_board, v_players, v_scores,
                         ARRAY(SELECT v_place - coalesce(cardinality(v_before), 0) - 1 + n
                               FROM generate_series(1, cardinality(v_players)) n)) l), '[]'))::text;
END $$;

COMMENT ON FUNCTION q_board_around IS
'The reader''s row with its neighbors; empty if the reader is not on the board.
Refusals: those of board_refusal.
Called by api.';
