-- The lines of a board are written as the text they are sent as: to build a jsonb of each and to write that out was a third of what the lines cost.

DROP FUNCTION board_lines(bigint, integer, bigint[], bigint[], bigint[]);

-- As in 0175 but for the type of body.
CREATE FUNCTION board_lines(p_reader bigint, p_board integer, p_players bigint[], p_scores bigint[], p_places bigint[])
    RETURNS TABLE (player_id bigint, score bigint, place bigint, body json)
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_board boards;
BEGIN
    SELECT * INTO v_board FROM boards WHERE id = p_board;
    IF p_places IS NULL THEN
        SELECT array_agg(f.player_id), array_agg(f.score), array_agg(f.place) INTO p_players, p_scores, p_places
        FROM board_places(p_board, p_players, p_scores) f;
    END IF;
    RETURN QUERY
    SELECT e.player_id, e.score, e.place, json_build_object(
        'place', e.place, 'player_id', e.player_id::text, 'nickname', p.nickname, 'avatar', p.avatar, 'title', l.title,
        'value', board_value(v_board.kind, e.score), 'own', e.player_id = p_reader,
        'games', coalesce(board_games(v_board.kind, e.score), (
            SELECT r.games FROM ratings r
            WHERE r.player_id = e.player_id AND r.variant = v_board.variant AND r.period = v_board.period)))
    FROM unnest(p_players, p_scores, p_places) AS e (player_id, score, place)
    JOIN players p ON p.id = e.player_id JOIN levels l ON l.level = p.level
    ORDER BY e.score DESC, e.player_id;
END $$;

-- As in 0040 but for json.
CREATE OR REPLACE FUNCTION q_board_around(p_reader bigint, p_variant text, p_kind text, p_period text)
    RETURNS TABLE(code text, body text)
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
        SELECT array_agg(player_id ORDER BY score DESC, player_id), array_agg(score ORDER BY score DESC, player_id)
        INTO v_before, v_above
        FROM (SELECT player_id, score FROM board_entries WHERE board_id = v_board AND (score, -player_id) > (v_score, -p_reader)
              ORDER BY score, (-player_id) LIMIT v_n) a;
        SELECT players, scores INTO v_players, v_scores FROM board_behind(v_board, v_score, p_reader, v_n);
        v_players := coalesce(v_before, '{}') || p_reader || v_players;
        v_scores := coalesce(v_above, '{}') || v_score || v_scores;
    END IF;
    RETURN QUERY
    SELECT coalesce(board_refusal(p_variant, p_kind, p_period), 'ok'), json_build_object('place', v_place, 'items', coalesce((
        SELECT json_agg(l.body ORDER BY l.place)
        FROM board_lines(p_reader, v_board, v_players, v_scores,
                         ARRAY(SELECT v_place - coalesce(cardinality(v_before), 0) - 1 + n
                               FROM generate_series(1, cardinality(v_players)) n)) l), '[]'))::text;
END $$;
